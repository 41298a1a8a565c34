import type { Server } from 'node:net';
import type { Logger } from 'pino';
import type { CongestionControl } from '../config/relay-config.ts';
import { getSocketCalls, TCP_CONGESTION } from './socket-calls.ts';

/** Sets options of listening sockets, which the connections that they accept inherit. */
export class ListenerOptions {
  readonly #congestionControl: CongestionControl;
  readonly #log: Logger;
  #hasReported = false;

  constructor(congestionControl: CongestionControl, log: Logger) {
    this.#congestionControl = congestionControl;
    this.#log = log;
  }

  /** Of a server that listens. */
  apply(server: Server): void {
    const { wanted } = this.#congestionControl;
    if (wanted === 'system') return;
    const { calls, problem } = getSocketCalls();
    const refusal = calls === undefined ? problem : calls.set(server, TCP_CONGESTION, Buffer.from(wanted));
    if (refusal === undefined || this.#hasReported || !this.#congestionControl.isReported) return;
    this.#hasReported = true;
    this.#log.warn(
      { congestionControl: wanted, problem: refusal, fix: calls === undefined ? undefined : permit(wanted) },
      'this congestion control is not permitted, the system’s default is used',
    );
  }
}

/** For root. */
function permit(name: string): string {
  const file = '/proc/sys/net/ipv4/tcp_allowed_congestion_control';
  return `modprobe tcp_${name}; echo "$(cat ${file}) ${name}" > ${file}`;
}
