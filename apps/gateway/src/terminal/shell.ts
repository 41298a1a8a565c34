import type { AppFailure } from '@tongtu/contract';
import type { LiveSession } from '../session/live-session.ts';
import type { SshUser } from '../ssh/connect-ssh.ts';

export type TerminalSize = { columns: number; rows: number };

/** An open terminal at the target. It ends when the signal of its `ShellDeps` is aborted. */
export type Shell = {
  /** In the target's encoding, as typed. */
  write(bytes: Buffer): void;
  /** Of the bytes that were written, those that the target has not taken yet. */
  readonly unsentBytes: number;
  resize(size: TerminalSize): void;
  /** Stops and resumes the output. */
  pause(): void;
  resume(): void;
};

export type ShellDeps = {
  session: LiveSession;
  size: TerminalSize;
  typed: { username?: string | undefined; password?: string | undefined; passphrase?: string | undefined };
  user: SshUser;
  signal: AbortSignal;
  /** In the target's encoding. */
  onOutput: (bytes: Buffer) => void;
  /** `unsentBytes` has become less. */
  onSent: () => void;
  /** Called once, after the last output. */
  onEnd: (reason: AppFailure) => void;
  answerTimeoutMs?: number;
};

/** Throws a TargetError, a CredentialsError or a HostKeyChangedError. */
export type OpenShell = (deps: ShellDeps) => Promise<Shell>;
