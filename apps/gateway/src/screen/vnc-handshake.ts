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
const MAX_REASON_BYTES = 4_096;

/**
 * The beginning of an RFB 3.8 conversation. With a stored password the gateway logs in itself, so that the browser never
 * gets it, and shows the browser a server without security. Otherwise the browser logs in: everything is passed on.
 * Throws TargetError `protocol` or `login-failed`.
 */
export async function shakeVncHands(target: Duplex, browser: Duplex, password: string | undefined): Promise<void> {
  const fromTarget = new ByteReader(target);
  const version = await fromTarget.read(VERSION_BYTES);
  const [, major, minor] = VERSION.exec(version.toString('latin1')) ?? [];
  if (major === undefined || minor === undefined) throw new TargetError('protocol');
  browser.write(version);
  // Before 3.7 the server decides the type alone, and RealVNC's 4 and Apple's 3.889 have types of their own.
  if (password === undefined || major !== '003' || minor < '007' || minor > '008') return;
  const fromBrowser = new ByteReader(browser);
  const answered = await fromBrowser.read(VERSION_BYTES);
  target.write(answered);
  const [count = 0] = await fromTarget.read(1);
  const types = await fromTarget.read(count);
  const hasResult = answered.toString('latin1') >= 'RFB 003.008';
  if (count === 0 || !types.includes(VNC_AUTHENTICATION)) {
    browser.write(Buffer.concat([Buffer.of(count), types]));
    return;
  }
  target.write(Buffer.of(VNC_AUTHENTICATION));
  target.write(answerVncChallenge(await fromTarget.read(CHALLENGE_BYTES), password));
  const result = (await fromTarget.read(4)).readUInt32BE();
  if (result !== 0) throw await loginError(fromTarget, hasResult);
  browser.write(Buffer.of(1, NONE));
  await fromBrowser.read(1); // its choice, the only one
  if (hasResult) browser.write(Buffer.alloc(4));
}

/** Waits for the target's own reason only so that it is not reset before it was sent. */
async function loginError(target: ByteReader, hasReason: boolean): Promise<TargetError> {
  if (hasReason) {
    const length = (await target.read(4)).readUInt32BE();
    if (length <= MAX_REASON_BYTES) await target.read(length);
  }
  return new TargetError('login-failed');
}
