import { type Backoff, createBackoff } from '@tongtu/base';
import { type RelayToServer, ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import type { RelayLimits } from '../config/relay-limits.ts';

// Snapshots and certificates come in parts of a megabyte or two; a device with all that it can have takes a few.
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** For the server's answer to our close. */
const CLOSE_TIMEOUT_MS = 1_000;

export type ServerConnectionDeps = {
  url: string;
  secret: string;
  limits: RelayLimits;
  onOpen: () => void;
  /** An error that it throws closes the connection. */
  onMessage: (message: ServerToRelay) => void;
  /** At every heartbeat of an open connection, and once when it opens. */
  onHeartbeat: () => void;
  onClosed: () => void;
  monotonicMs: () => number;
  log: Logger;
};

/** A WebSocket to the server that is opened again whenever it ends. A server that is silent for too long counts as lost. */
export class ServerConnection {
  readonly #deps: ServerConnectionDeps;
  readonly #backoff: Backoff;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #isStopped = false;
  #lastHeardMs = 0;
  #heartbeat: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(deps: ServerConnectionDeps) {
    this.#deps = deps;
    const { reconnectFirstMs, reconnectMaxMs } = deps.limits;
    this.#backoff = createBackoff({ firstMs: reconnectFirstMs, maxMs: reconnectMaxMs, random: Math.random });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  start(): void {
    this.#heartbeat = setInterval(() => this.#beat(), this.#deps.limits.serverHeartbeatMs);
    this.#connect();
  }

  /** The connection works: the next reconnection begins with the shortest delay. */
  resetBackoff(): void {
    this.#backoff.reset();
  }

  /** False when the server is away. */
  send(message: RelayToServer): boolean {
    if (!this.#isOpen) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Closes it permanently. Resolves when the socket is closed. */
  async close(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    if (socket === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    });
  }

  #connect(): void {
    const { url, secret, limits, log, monotonicMs } = this.#deps;
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${secret}` },
      handshakeTimeout: limits.serverRequestTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    this.#lastHeardMs = monotonicMs();
    socket.on('open', () => this.#onOpen());
    // ws hands out one Buffer a message unless its binaryType is changed.
    socket.on('message', (bytes) => this.#onText(socket, (bytes as Buffer).toString()));
    socket.on('pong', () => (this.#lastHeardMs = monotonicMs()));
    socket.on('error', (err) => log.debug({ err }, 'server connection failed'));
    socket.on('close', (code) => this.#onClose(code));
  }

  #onOpen(): void {
    this.#isOpen = true;
    this.#deps.onOpen();
    this.#beat();
    this.#deps.log.info('connected to the server');
  }

  #onText(socket: WebSocket, text: string): void {
    this.#lastHeardMs = this.#deps.monotonicMs();
    try {
      this.#deps.onMessage(ServerToRelay.parse(JSON.parse(text)));
    } catch (err) {
      this.#deps.log.error({ err }, 'message of the server not understood');
      socket.close(1008);
    }
  }

  #beat(): void {
    const { monotonicMs, limits, onHeartbeat } = this.#deps;
    if (this.#socket === undefined) return;
    if (monotonicMs() - this.#lastHeardMs > limits.serverLostMs) {
      this.#socket.terminate();
    } else if (this.#isOpen) {
      this.#socket.ping();
      onHeartbeat();
    }
  }

  #onClose(code: number): void {
    this.#socket = undefined;
    this.#isOpen = false;
    this.#deps.onClosed();
    if (this.#isStopped) return;
    const waitMs = this.#backoff.nextMs();
    this.#deps.log.warn({ code, waitMs }, 'no connection to the server');
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}
