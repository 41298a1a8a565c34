import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import ssh2, { type Client } from 'ssh2';
import { TargetError } from '../../sessions/live-session.ts';
import { CredentialsRequiredError, HostKeyError } from '../login-errors.ts';

export type SshTarget = {
  openStream: () => Duplex;
  username: string;
  password?: string | undefined;
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  /** Null: not seen yet, so that the login stops and the user is asked. */
  knownHostKey: string | null;
};

const READY_TIMEOUT_MS = 20_000;
/** A connection that answers none of three in a row is lost. */
const KEEPALIVE_MS = 15_000;

/** Logs in. No credential is sent before the host key is known to be the right one. */
export async function openSsh(target: SshTarget): Promise<Client> {
  const { username, password, privateKey, passphrase, knownHostKey } = target;
  checkPrivateKey(target);
  const client = new ssh2.Client();
  let hostKeyError: HostKeyError | undefined;
  client.on('keyboard-interactive', (_name, _text, _language, prompts, finish) => {
    // Many devices ask for the password this way. Any other question cannot be answered here: the login is refused.
    finish(prompts.map(({ echo }) => (echo === true ? '' : (password ?? ''))));
  });
  const sock = target.openStream();
  let hasAnswered = false;
  sock.once('data', () => (hasAnswered = true));
  try {
    await new Promise<void>((resolve, reject) => {
      client
        .once('ready', resolve)
        .once('close', () => reject(new TargetError('lost')))
        .on('error', (error) => reject(hostKeyError ?? loginFailure(error)));
      // ssh2 would go on waiting for a banner, which lines of another protocol may precede.
      sock.once('end', () => reject(hostKeyError ?? new TargetError(hasAnswered ? 'protocol' : 'lost')));
      client.connect({
        sock,
        username,
        ...(password !== undefined && { password, tryKeyboard: true }),
        ...(privateKey !== undefined && { privateKey }),
        ...(passphrase !== undefined && { passphrase }),
        readyTimeout: READY_TIMEOUT_MS,
        keepaliveInterval: KEEPALIVE_MS,
        // Must be synchronous: ssh2 takes any returned value, a promise too, for a yes.
        hostVerifier: (key: Buffer) => {
          const fingerprint = fingerprintOf(key);
          if (fingerprint === knownHostKey) return true;
          hostKeyError = new HostKeyError(fingerprint, knownHostKey);
          return false;
        },
      });
    });
    return client;
  } catch (error) {
    client.destroy();
    sock.destroy();
    throw error;
  }
}

/** As OpenSSH shows it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Read before the connection: a key that cannot be read is no fault of the target. */
function checkPrivateKey({ privateKey, passphrase }: SshTarget): void {
  if (privateKey === undefined) return;
  const parsed = ssh2.utils.parseKey(privateKey, passphrase);
  if (!(parsed instanceof Error)) return;
  if (passphrase === undefined && /no passphrase given/i.test(parsed.message))
    throw new CredentialsRequiredError(['passphrase']);
  throw new TargetError('key-unreadable', { cause: parsed });
}

function loginFailure(error: Error & { level?: string }): Error {
  if (error instanceof TargetError) return error;
  switch (error.level) {
    case 'client-authentication':
      return new TargetError('login-failed', { cause: error });
    case 'client-timeout':
      return new TargetError('timed-out', { cause: error });
    case 'client-socket':
      return new TargetError('lost', { cause: error });
    default:
      return new TargetError('protocol', { cause: error });
  }
}
