import { createHash } from 'node:crypto';
import { type LiveSession, TargetError } from './live-session.ts';

/** Accepted in this session. Members cannot pin a key for everybody, and the facts of a session do not change. */
const accepted = new WeakMap<LiveSession, string>();

/** The target shows another key than before. */
export class HostKeyChangedError extends TargetError {
  readonly known: string;
  readonly fingerprint: string;
  constructor(known: string, fingerprint: string) {
    super('host-key-changed');
    this.known = known;
    this.fingerprint = fingerprint;
  }
}

/** As OpenSSH shows it. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`;
}

/** Returns when the key may be trusted, and throws otherwise. `ask` is for a key that nobody has seen before. */
export async function checkHostKey(
  session: LiveSession,
  fingerprint: string,
  ask: (fingerprint: string) => Promise<boolean>,
): Promise<void> {
  const known = session.facts.hostKey ?? accepted.get(session);
  if (known === fingerprint) return;
  if (known !== undefined) throw new HostKeyChangedError(known, fingerprint);
  if (!(await ask(fingerprint))) throw new TargetError('host-key-refused');
}

/**
 * Remembers the key. To be called only when the target has proven that it has the key: what a target claims before
 * could be copied from another one.
 */
export function keepHostKey(session: LiveSession, fingerprint: string): void {
  if (session.facts.hostKey !== null || accepted.has(session)) return;
  accepted.set(session, fingerprint);
  if (session.facts.isOwner) session.keepHostKey(fingerprint);
}
