import { type LiveSession, TargetError } from '../../session/live-session.ts';
import { connectSsh, type SshConnection } from '../../ssh/connect-ssh.ts';
import { chooseCredentials, CredentialsError, type SshCredentials } from '../../ssh/credentials.ts';
import type { SshPrompts } from '../../ssh/ssh-login.ts';
import { asHostKeyError, trustOnly } from '../../session/trust-host-key.ts';
import { CredentialsRequiredError } from '../../session/login-errors.ts';

/** A connection that answers none of three in a row is lost. */
const KEEPALIVE_MS = 15_000;

export type SftpTarget = {
  session: LiveSession;
  typed: Parameters<typeof chooseCredentials>[1];
  /** The fingerprint that the user has accepted. */
  trustedHostKey?: string | undefined;
};

/** Logs in like a terminal, but nobody is there to answer questions. */
export async function connectSftp({ session, typed, trustedHostKey }: SftpTarget): Promise<SshConnection> {
  const credentials = chooseCredentials(session.facts, typed);
  const answerPrompts = ({ prompts }: SshPrompts): Promise<never> => {
    const isForPassword = prompts.length === 1 && prompts[0]?.echo === false && credentials.password === undefined;
    return Promise.reject(isForPassword ? new CredentialsRequiredError(['password']) : new TargetError('login-failed'));
  };
  try {
    return await connectSsh({
      session,
      credentials,
      user: { trustHostKey: trustOnly(trustedHostKey), answerPrompts },
      signal: session.signal,
      keepaliveMs: KEEPALIVE_MS,
      unreadBytes: () => session.memory.heldBytes, // the windows of uploads
    });
  } catch (error) {
    throw error instanceof CredentialsError ? loginError(error, credentials) : asHostKeyError(error);
  }
}

function loginError(error: CredentialsError, credentials: SshCredentials): Error {
  const missing = error.wanted.filter((name) => !credentials[name]);
  if (missing.length > 0) return new CredentialsRequiredError(missing);
  return new TargetError(error.wanted.includes('passphrase') ? 'key-unreadable' : 'login-failed', { cause: error });
}
