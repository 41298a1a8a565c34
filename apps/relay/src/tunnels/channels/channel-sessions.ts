import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { type ChannelSession, type JoinRequest, MAX_CHANNELS } from '@tongtu/tunnel';
import { isSameSecret } from '../../access/is-same-secret.ts';

const ID_BYTES = 16;
const SECRET_BYTES = 32;

export type JoinableSession = {
  readonly session: ChannelSession;
  /** Takes a connection that has shown the session's secret. False: it was refused, and nothing has changed. */
  join(request: JoinRequest, socket: TLSSocket, address: string): boolean;
};

/** The sessions that further connections can join, by their ids. */
export class ChannelSessions {
  readonly #sessions = new Map<string, JoinableSession>();

  add(joinable: JoinableSession): ChannelSession {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.#sessions.set(id, joinable);
    return { id, secret, maxChannels: MAX_CHANNELS };
  }

  /** `forged`: the session is known, and its secret is another one. */
  find(id: string, secret: string): JoinableSession | 'unknown' | 'forged' {
    const found = this.#sessions.get(id);
    if (found === undefined) return 'unknown';
    return isSameSecret(secret, found.session.secret) ? found : 'forged';
  }

  remove({ session }: JoinableSession): void {
    this.#sessions.delete(session.id);
  }
}
