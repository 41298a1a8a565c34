import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ReceivedText } from './received-text.ts';
import type { Ending } from './steps.ts';

const WAIT_MS = 15_000;
const FAREWELL = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';

/** One connection to the service. */
export class ServiceConnection {
  readonly received = new ReceivedText();
  readonly closed: Promise<void>;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.received.add(text));
    socket.on('end', () => this.received.finish('end'));
    socket.on('error', () => this.received.finish('cut'));
    socket.on('close', () => this.received.finish('cut'));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  say(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  end(ending: Ending): void {
    if (ending === 'end') this.#socket.end();
    else this.#socket.resetAndDestroy();
  }
}

/**
 * A LAN service that records every byte and sends only what the test says. Received bytes are
 * looked up on all connections.
 */
export class RecordingService implements AsyncDisposable {
  readonly #server: Server = createServer({ allowHalfOpen: true });
  #connections: ServiceConnection[] = [];
  #onData: () => void = () => {};
  /** While set, every request gets an answer that ends its connection, and is recorded here. */
  #dismissed: string[] | undefined;

  constructor() {
    this.#server.on('connection', (socket) => this.#admit(socket));
  }

  static async start(): Promise<RecordingService> {
    const service = new RecordingService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // listening on TCP: never a pipe name
  }

  get hasOpenConnections(): boolean {
    return this.#connections.some(({ isOpen }) => isOpen);
  }

  /** Resolves once every connection so far has closed. */
  async whenClosed(): Promise<void> {
    await Promise.all(this.#connections.map(({ closed }) => closed));
  }

  /** The bytes that no step has taken. */
  get unread(): string[] {
    return this.#connections.map(({ received }) => received.unread).filter((text) => text !== '');
  }

  /** Resolves with the first connection that has unread bytes. */
  async whereSomethingArrives(): Promise<ServiceConnection> {
    const find = () => this.#connections.find(({ received }) => received.unread !== '');
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      this.#onData();
    }, WAIT_MS);
    while (find() === undefined && !isOverdue) await new Promise<void>((resolve) => (this.#onData = resolve));
    clearTimeout(timer);
    const found = find();
    if (found === undefined) throw new Error('nothing arrives at the service');
    return found;
  }

  /** Ends each connection when it receives something, or its end. */
  beginDismissing(): void {
    this.#dismissed = [];
    for (const connection of this.#connections) if (connection.received.ending === 'end') connection.end('end');
  }

  /** Drops all connections and returns what they received meanwhile. */
  endDismissing(): string[] {
    const dismissed = this.#dismissed ?? [];
    this.#dismissed = undefined;
    this.#connections = [];
    return dismissed;
  }

  #admit(socket: Socket): void {
    const connection = new ServiceConnection(socket);
    this.#connections.push(connection);
    // After the connection's own listener, which has recorded the bytes.
    socket.on('data', (text: string) => {
      if (this.#dismissed === undefined) return this.#onData();
      this.#dismissed.push(text);
      connection.say(FAREWELL);
      connection.end('end');
    });
    socket.on('end', () => {
      if (this.#dismissed !== undefined) connection.end('end');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) if (connection.isOpen) connection.end('cut');
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
