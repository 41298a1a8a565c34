import type { TLSSocket } from 'node:tls';
import { encodeJoin, JoinReader, JoinRequest, ProtocolError } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { RelayLimits } from '../../config/relay-limits.ts';
import type { AbuseLog } from '../../net/abuse-log.ts';
import type { ChannelSessions } from './channel-sessions.ts';

/** Time for a refusal to be read. */
const REFUSAL_MS = 2_000;

export type ChannelJoinDeps = {
  channelSessions: ChannelSessions;
  limits: Pick<RelayLimits, 'loginTimeoutMs'>;
  abuse: AbuseLog;
  log: Logger;
};

/** Leads a connection that joins a session to its channel, or ends it. */
export class ChannelJoin {
  readonly #socket: TLSSocket;
  readonly #address: string;
  readonly #deps: ChannelJoinDeps;
  readonly #reader = new JoinReader(JoinRequest);
  readonly #timer: NodeJS.Timeout;
  readonly #onAdmitted: () => void;
  readonly #onData = (chunk: Buffer) => this.#read(chunk);

  constructor(socket: TLSSocket, address: string, deps: ChannelJoinDeps, onAdmitted: () => void) {
    this.#socket = socket;
    this.#address = address;
    this.#deps = deps;
    this.#onAdmitted = onAdmitted;
    this.#timer = setTimeout(() => socket.destroy(), deps.limits.loginTimeoutMs);
    socket.on('data', this.#onData);
    socket.on('error', ignore); // 'close' follows
    socket.on('end', this.#end);
    socket.on('close', this.#stop);
  }

  readonly #end = () => this.#socket.destroy();

  readonly #stop = () => {
    clearTimeout(this.#timer);
    this.#socket.off('data', this.#onData).off('end', this.#end).off('close', this.#stop);
  };

  #read(chunk: Buffer): void {
    try {
      const read = this.#reader.push(chunk);
      if (read === undefined) return;
      // What an agent sends next depends on the answer.
      if (read.rest.length > 0) throw new ProtocolError('bytes after a join');
      this.#join(read.message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#report(error.message);
      this.#socket.destroy();
    }
  }

  #join(request: JoinRequest): void {
    this.#stop();
    const { channelSessions, log } = this.#deps;
    const session = channelSessions.find(request.session, request.secret);
    if (session === 'forged') this.#report('a join with a wrong secret');
    // The same answer to both: a session's id proves nothing, and need not be confirmed.
    if (session === 'unknown' || session === 'forged') return this.#refuse('session.unknown');
    const { channel, attempt } = request;
    log.debug({ publicIp: this.#address, channel, attempt }, 'a connection joins a session');
    if (!session.join(request, this.#socket, this.#address)) return this.#refuse('channel.refused');
    this.#socket.off('error', ignore);
    this.#onAdmitted();
  }

  #refuse(code: string): void {
    const timer = setTimeout(() => this.#socket.destroy(), REFUSAL_MS).unref();
    this.#socket.on('close', () => clearTimeout(timer));
    this.#socket.resume();
    this.#socket.end(encodeJoin({ type: 'refused', code }));
  }

  #report(reason: string): void {
    this.#deps.abuse.report('tunnel', { ip: this.#address, reason });
  }
}

function ignore(): void {}
