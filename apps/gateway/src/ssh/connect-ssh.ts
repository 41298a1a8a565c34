import type { Duplex } from 'node:stream';
import type { Client, ParsedKey } from 'ssh2';
import { type LiveSession, TargetError } from '../session/live-session.ts';
import type { SshCredentials } from './credentials.ts';
import { Deadline } from './deadline.ts';
import { HandshakeLog } from './handshake-log.ts';
import { checkHostKey, fingerprintOf, keepHostKey } from '../session/host-keys.ts';
import { prepareCipherKeys } from './prepare-cipher-keys.ts';
import { readPrivateKey } from './read-private-key.ts';
import { algorithmsOf } from './algorithms.ts';
import { ssh2 } from './ssh2.ts';
import { SshLogin, type SshPrompts } from './ssh-login.ts';

/** For each answer of the target. The time in which the user is asked does not count. */
export const ANSWER_TIMEOUT_MS = 20_000;
/** Of what we send and a target does not read, and of our requests that it does not answer. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;
const MAX_UNANSWERED_REQUESTS = 100;

export type SshUser = {
  trustHostKey(fingerprint: string): Promise<boolean>;
  answerPrompts(prompts: SshPrompts): Promise<readonly string[]>;
};

export type ConnectSshDeps = {
  session: LiveSession;
  credentials: SshCredentials;
  user: SshUser;
  /** Aborts the login, and afterwards the connection. */
  signal: AbortSignal;
  answerTimeoutMs?: number;
  /** Asks for a sign of life so often. Not for who stops reading for longer than it takes to miss three answers. */
  keepaliveMs?: number;
  /** Besides what a target may cause. */
  unreadBytes?: () => number;
};

export type SshConnection = { client: Client; stream: Duplex };

/** Connects and logs in. It throws a TargetError, a CredentialsError or a HostKeyChangedError. */
export async function connectSsh(deps: ConnectSshDeps): Promise<SshConnection> {
  const key = await readPrivateKey(deps.credentials);
  deps.signal.throwIfAborted();
  const stream = deps.session.openStream();
  const client = new ssh2.Client();
  const abort = (): void => void stream.destroy();
  deps.signal.addEventListener('abort', abort, { once: true });
  stream.once('close', () => deps.signal.removeEventListener('abort', abort));
  try {
    await logIn({ ...deps, key, stream, client });
    return { client, stream };
  } catch (error) {
    stream.destroy();
    throw deps.signal.aborted ? deps.signal.reason : error;
  }
}

/** What an error of the client means for the user. */
export function toTargetError(error: Error & { level?: string; code?: unknown }): TargetError {
  if (error instanceof TargetError) return error;
  const hasSaidGoodbye = error.level === undefined && typeof error.code === 'number'; // SSH_MSG_DISCONNECT
  if (hasSaidGoodbye) return new TargetError('closed', { cause: error });
  return new TargetError(error.level === 'client-socket' ? 'lost' : 'protocol', { cause: error });
}

async function logIn(
  deps: ConnectSshDeps & { key: ParsedKey | undefined; stream: Duplex; client: Client },
): Promise<void> {
  const { session, credentials, user, key, stream, client } = deps;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const deadline = new Deadline(deps.answerTimeoutMs ?? ANSWER_TIMEOUT_MS, () => reject(new TargetError('timed-out')));
  const login = new SshLogin({
    credentials,
    key,
    isUsernameTyped: session.facts.options.username === '',
    encoding: session.facts.options.encoding,
    ask: (prompts) => deadline.exempt(() => user.answerPrompts(prompts)),
    onFailure: reject,
  });
  const handshake = new HandshakeLog();
  let hasAnswered = false;
  let shownKey = '';
  client
    .on('ready', resolve)
    .on('handshake', () => {
      keepHostKey(session, shownKey); // its signature was right
      prepareCipherKeys(client);
      handshake.end(client);
    })
    .on('change password', () => reject(new TargetError('login-failed')))
    .on('close', () => reject(new TargetError('lost')))
    .on('error', (error) =>
      reject(handshake.mismatch(error) ?? (hasAnswered ? loginError(error, login) : lostUnless(error))),
    )
    .connect({
      sock: stream,
      username: credentials.username,
      authHandler: login.chooseMethod,
      algorithms: algorithmsOf(session.facts.options),
      debug: (line) => handshake.add(line),
      ...(deps.keepaliveMs !== undefined && { keepaliveInterval: deps.keepaliveMs }),
      readyTimeout: 0, // it would include the time in which the user is asked
      // Braces: with any returned value but undefined, a promise too, ssh2 accepts the key.
      hostVerifier: (hostKey: Buffer, verify: (isTrusted: boolean) => void): void => {
        shownKey = fingerprintOf(hostKey);
        stream.pause(); // else a target could fill the queue of what waits for this answer
        checkHostKey(session, shownKey, (fingerprint) => deadline.exempt(() => user.trustHostKey(fingerprint)))
          .then(() => verify(true))
          .catch((error: unknown) => {
            reject(error); // before ssh2 reports an error of its own
            verify(false);
          })
          .finally(() => stream.resume());
      },
    });
  stream.on('data', () => {
    hasAnswered = true;
    if (isFlooding(stream, client, deps.unreadBytes?.() ?? 0)) stream.destroy(new TargetError('protocol'));
  });
  return await promise.finally(() => deadline.stop());
}

function loginError(error: Error & { level?: string }, login: SshLogin): Error {
  if (error.level === 'client-authentication') return login.refusal();
  const failure = toTargetError(error);
  // After a number of wrong tries a target may just hang up.
  return failure.code === 'closed' && login.hasTried ? login.refusal() : failure;
}

/** A target that hangs up without a word has not spoken another protocol. */
function lostUnless(error: Error): TargetError {
  return error instanceof TargetError ? error : new TargetError('lost', { cause: error });
}

function isFlooding(stream: Duplex, client: Client, expectedBytes: number): boolean {
  // ssh2 keeps each of its requests, without a limit, until the target answers. A target can cause them.
  const { _callbacks: requests } = client as unknown as { _callbacks?: readonly unknown[] };
  return stream.writableLength > MAX_UNREAD_BYTES + expectedBytes || (requests?.length ?? 0) > MAX_UNANSWERED_REQUESTS;
}
