import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import { checkHostKey, fingerprintOf, keepHostKey } from '../session/host-keys.ts';
import { type LiveSession, TargetError } from '../session/live-session.ts';
import { connectTlsOver } from '../target-http/connect-tls.ts';
import { ByteReader } from './byte-reader.ts';
import { derLength } from '../encoding/der.ts';
import { cleanPathAnswer, cleanPathFailure, parseCleanPathRequest } from './rd-clean-path.ts';
import { PROTOCOL_TLS, RdpFirstMessages } from './rdp-first-messages.ts';
import { RdpTextInput } from './rdp-text-input.ts';
import { sendToScreen } from './screen-control.ts';
import { joinScreen } from './screen-socket.ts';

const MAX_REQUEST_BYTES = 16 * 1024;
/** X.224 connection confirm (MS-RDPBCGR 2.2.1.2): at least 7 bytes after the TPKT head. */
const MIN_CONFIRM_BYTES = 11;
const MAX_CONFIRM_BYTES = 1_024;
const NEGOTIATION_RESPONSE = 2;
const TPKT_VERSION = 3;
const DER_SEQUENCE = 0x30;

/** An RDP screen for IronRDP in the browser: RDCleanPath, TLS towards the target, then bytes. */
export function connectRdp(session: LiveSession, socket: WebSocket): void {
  let input: RdpFirstMessages | undefined;
  joinScreen(session, socket, {
    isInput: isFastPathInput,
    async begin(target, browser) {
      const { protocol, secure } = await beginRdp(session, target, browser);
      input = new RdpFirstMessages(protocol);
      input.pipe(secure);
      const output = new RdpTextInput(() => sendToScreen(session, { type: 'no_text_input', certainty: 'certain' }));
      // Windows asks for NLA. Who does not is mostly xrdp, whose 0.9 claims to take text and drops Chinese.
      if (protocol === PROTOCOL_TLS) sendToScreen(session, { type: 'no_text_input', certainty: 'doubtful' });
      secure.once('error', (error) => output.destroy(error)).pipe(output);
      return Duplex.from({ readable: output, writable: input });
    },
    // A host that refuses a login by CredSSP just closes the connection.
    endReason: () => (input?.isInLogin ? 'login-failed' : 'closed'),
  });
}

/** The others begin with the version of TPKT (MS-RDPBCGR 2.2.8.1.2). */
function isFastPathInput(message: Buffer): boolean {
  return ((message[0] ?? TPKT_VERSION) & 3) === 0;
}

type SecureTarget = { protocol: number; secure: TLSSocket };

async function beginRdp(session: LiveSession, target: Duplex, browser: Duplex): Promise<SecureTarget> {
  const request = await readRequest(browser);
  if (request === undefined) throw new TargetError('protocol');
  target.write(request);
  const { message: confirm, protocol } = await readConfirm(target);
  if (protocol === 0) {
    browser.write(cleanPathFailure(2, confirm));
    throw new TargetError('protocol');
  }
  const secure = await startTls(target);
  const certificate = secure.getPeerX509Certificate();
  if (certificate === undefined) throw new TargetError('protocol');
  await checkIdentity(session, certificate.raw);
  browser.write(cleanPathAnswer(confirm, [certificate.raw], `${session.facts.host}:${session.facts.port}`));
  return { protocol, secure };
}

async function readRequest(browser: Duplex): Promise<Buffer | undefined> {
  const reader = new ByteReader(browser);
  let bytes = await reader.read(2);
  if (bytes[0] !== DER_SEQUENCE) return undefined;
  try {
    for (;;) {
      const length = derLength(bytes);
      if (length !== undefined && length > MAX_REQUEST_BYTES) return undefined;
      if (length !== undefined && length <= bytes.length) return parseCleanPathRequest(bytes);
      bytes = Buffer.concat([bytes, await reader.read(length === undefined ? 1 : length - bytes.length)]);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function readConfirm(target: Duplex): Promise<{ message: Buffer; protocol: number }> {
  const reader = new ByteReader(target);
  const head = await reader.read(4);
  const length = head.readUInt16BE(2);
  if (head[0] !== TPKT_VERSION || length < MIN_CONFIRM_BYTES || length > MAX_CONFIRM_BYTES)
    throw new TargetError('protocol');
  const message = Buffer.concat([head, await reader.read(length - head.length)]);
  const isChosen = message[11] === NEGOTIATION_RESPONSE && message.length >= 19;
  return { message, protocol: isChosen ? message.readUInt32LE(15) : 0 };
}

async function startTls(target: Duplex): Promise<TLSSocket> {
  // The certificates of RDP are self-signed; `checkIdentity` compares them. Windows 7 and 2008 speak TLS 1.0 only.
  const options = { rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  try {
    return await connectTlsOver(target, options);
  } catch (error) {
    throw error instanceof TargetError ? error : new TargetError('protocol', { cause: error });
  }
}

/** The first certificate is trusted, for good if the owner sees it. Another one later ends the connection. */
async function checkIdentity(session: LiveSession, certificate: Buffer): Promise<void> {
  const fingerprint = fingerprintOf(certificate);
  await checkHostKey(session, fingerprint, () => Promise.resolve(true));
  keepHostKey(session, fingerprint); // the TLS handshake has proven it
}
