import { lenientTls } from '@tongtu/base';
import { isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { TargetDuplex } from '../upstream/target-duplex.ts';
import type { RefusedStatus, TargetEvents, TargetStream } from '../upstream/target-stream.ts';

/** What may be delivered and not yet consumed. */
const HIGH_WATER_BYTES = 256 * 1024;
export type TlsTargetOptions = {
  host: string;
  /** Refuses a certificate that is not valid for the host. */
  isVerified: boolean;
  /** Offers HTTP/2 alone. */
  isHttp2: boolean;
  timeoutMs: number;
  onSecured?: () => void;
};

/** TLS with a target, which our agent would do in the LAN and the relay has to do for frpc. */
export class TlsTarget implements TargetStream {
  readonly emptyUpdateCount = 0;
  readonly #events: TargetEvents;
  readonly #isVerified: boolean;
  readonly #socket: TLSSocket;
  readonly #timer: NodeJS.Timeout;
  #unconsumedBytes = 0;
  #isSecured = false;
  #hasEnded = false;
  #isClosed = false;

  constructor(open: (events: TargetEvents) => TargetStream, options: TlsTargetOptions, events: TargetEvents) {
    const { host, isVerified, isHttp2 } = options;
    this.#events = events;
    this.#isVerified = isVerified;
    const plain = new TargetDuplex(open, (status) => this.#refuse(status));
    this.#socket = connectTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(isVerified ? {} : lenientTls),
      ...(isHttp2 && { ALPNProtocols: ['h2'] }),
    });
    this.#timer = setTimeout(() => this.#refuse('timeout'), options.timeoutMs);
    this.#listen(options.onSecured);
  }

  get isWritable(): boolean {
    return !this.#hasEnded && !this.#isClosed;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  write(chunk: Buffer): boolean {
    return this.#isClosed || !this.#socket.writable ? true : this.#socket.write(chunk);
  }

  /** Its end would close both directions, see FrpcTarget. */
  end(): void {
    this.#hasEnded = true;
  }

  reset(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }

  consumed(bytes: number): void {
    this.#unconsumedBytes -= bytes;
    if (this.#unconsumedBytes < HIGH_WATER_BYTES && this.#socket.isPaused()) this.#socket.resume();
  }

  #listen(onSecured: (() => void) | undefined): void {
    const socket = this.#socket;
    socket.on('secureConnect', () => {
      this.#isSecured = true;
      clearTimeout(this.#timer);
      onSecured?.();
    });
    socket.on('data', (chunk: Buffer) => {
      this.#unconsumedBytes += chunk.length;
      if (this.#unconsumedBytes >= HIGH_WATER_BYTES) socket.pause();
      if (!this.#isClosed) this.#events.onData(chunk);
    });
    socket.on('drain', () => this.#isClosed || this.#events.onDrain());
    socket.on('end', () => this.#onEnd());
    socket.on('error', () => {}); // always followed by 'close'
    socket.on('close', () => this.#onClose());
  }

  #onEnd(): void {
    if (this.#isClosed || !this.#isSecured) return;
    this.reset();
    this.#events.onEnd();
  }

  #onClose(): void {
    if (this.#isClosed) return;
    if (!this.#isSecured) {
      // Node's types leave out that it is empty until the certificate was looked at and refused.
      const isRefused = this.#isVerified && Boolean(this.#socket.authorizationError);
      return this.#refuse(isRefused ? 'certificateInvalid' : 'tlsFailed');
    }
    this.#isClosed = true;
    this.#events.onReset();
  }

  #refuse(status: RefusedStatus): void {
    if (this.#isClosed) return;
    this.reset();
    this.#events.onRefused(status);
  }
}
