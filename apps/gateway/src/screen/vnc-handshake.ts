import type { Duplex } from 'node:stream';
import { TargetError } from '../session/live-session.ts';
import { ByteReader } from './byte-reader.ts';
import { answerVncChallenge } from './vnc-password.ts';

/** RFC 6143 §7.1: versions, then a list of security types. */
const VERSION = /^RFB (\d{3})\.(\d{3})\n$/;
const VERSION_BYTES = 12;
const CHALLENGE_BYTES = 16;
const NONE = 1;
const VNC_AUTHENTICATION = 2;
const VENCRYPT = 19;
const VENCRYPT_VERSION = Buffer.of(0, 2);
const VENCRYPT_PLAIN = 256;
const PLAIN_SUBTYPE = Buffer.of(0, 0, 1, 0);
/** What noVNC speaks without TLS: also RealVNC's RA2ne, Tight, XVP, Apple's, MSLogonII and UnixLogon. */
const possibleTypes: ReadonlySet<number> = new Set([NONE, VNC_AUTHENTICATION, 6, 16, 22, 30, 113, 129]);
const MAX_REASON_BYTES = 4_096;

/**
 * The beginning of an RFB 3.8 conversation. With a stored password the gateway logs in itself, so that the browser never
 * gets it, and shows the browser a server without security. Otherwise the browser logs in, and is shown those security
 * types that are possible there: it would take the first one, and TLS is not. `password`: each letter a byte. Throws TargetError `protocol`,
 * `login-failed` or `vnc-encrypted`.
 */
export async function shakeVncHands(target: Duplex, browser: Duplex, password: string | undefined): Promise<void> {
  const fromTarget = new ByteReader(target);
  const version = await fromTarget.read(VERSION_BYTES);
  const [, major, minor] = VERSION.exec(version.toString('latin1')) ?? [];
  if (major === undefined || minor === undefined) throw new TargetError('protocol');
  browser.write(version);
  // Before 3.7 the server decides the type alone, and RealVNC's 4 and Apple's 3.889 have types of their own.
  if (major !== '003' || minor < '007' || minor > '008') return;
  const fromBrowser = new ByteReader(browser);
  const answered = await fromBrowser.read(VERSION_BYTES);
  target.write(answered);
  const [count = 0] = await fromTarget.read(1);
  const types = await fromTarget.read(count);
  const hasResult = answered.toString('latin1') >= 'RFB 003.008';
  if (password === undefined || !types.includes(VNC_AUTHENTICATION))
    return await offerTypes(types, { target, fromTarget, browser, fromBrowser });
  target.write(Buffer.of(VNC_AUTHENTICATION));
  target.write(answerVncChallenge(await fromTarget.read(CHALLENGE_BYTES), password));
  const result = (await fromTarget.read(4)).readUInt32BE();
  if (result !== 0) throw await loginError(fromTarget, hasResult);
  browser.write(Buffer.of(1, NONE));
  await fromBrowser.read(1); // its choice, the only one
  if (hasResult) browser.write(Buffer.alloc(4));
}

type Sides = { target: Duplex; fromTarget: ByteReader; browser: Duplex; fromBrowser: ByteReader };

async function offerTypes(types: Buffer, sides: Sides): Promise<void> {
  const possible = Buffer.from(types.filter((type) => possibleTypes.has(type)));
  // Without any type, the target's reason follows.
  if (possible.length > 0 || types.length === 0) {
    sides.browser.write(Buffer.concat([Buffer.of(possible.length), possible]));
    return;
  }
  if (!types.includes(VENCRYPT)) throw new TargetError('vnc-encrypted');
  await offerPlain(sides);
}

/** VeNCrypt 0.2, of whose subtypes noVNC has that without TLS alone. */
async function offerPlain({ target, fromTarget, browser, fromBrowser }: Sides): Promise<void> {
  target.write(Buffer.of(VENCRYPT));
  await fromTarget.read(VENCRYPT_VERSION.length);
  target.write(VENCRYPT_VERSION);
  const [failure, count = 0] = await fromTarget.read(2);
  if (failure !== 0) throw new TargetError('vnc-encrypted');
  const subtypes = await fromTarget.read(count * 4);
  const hasPlain = Array.from({ length: count }, (_, index) => subtypes.readUInt32BE(index * 4)).includes(
    VENCRYPT_PLAIN,
  );
  if (!hasPlain) throw new TargetError('vnc-encrypted');
  browser.write(Buffer.of(1, VENCRYPT));
  await fromBrowser.read(1); // its choice, the only one
  browser.write(VENCRYPT_VERSION);
  await fromBrowser.read(VENCRYPT_VERSION.length);
  browser.write(Buffer.concat([Buffer.of(0, 1), PLAIN_SUBTYPE]));
}

/** Waits for the target's own reason only so that it is not reset before it was sent. */
async function loginError(target: ByteReader, hasReason: boolean): Promise<TargetError> {
  if (hasReason) {
    const length = (await target.read(4)).readUInt32BE();
    if (length <= MAX_REASON_BYTES) await target.read(length);
  }
  return new TargetError('login-failed');
}
