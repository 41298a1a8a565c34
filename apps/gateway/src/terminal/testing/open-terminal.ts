import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import { type TerminalFromBrowser, TerminalFromGateway, terminalInputWindowBytes } from '@tongtu/contract';
import { WebSocket, WebSocketServer } from 'ws';
import type { LiveSession } from '../../session/live-session.ts';
import { connectTerminal, type TerminalOptions } from '../terminal-connection.ts';

const PART_BYTES = 8 * 1024;

/** A terminal as a browser has it, over a real WebSocket. It draws at once, unless `isDrawing` is false. */
export class TestTerminal implements AsyncDisposable {
  readonly #server: WebSocketServer;
  readonly socket: WebSocket;
  readonly #messages: TerminalFromGateway[] = [];
  readonly #waiting = new Set<() => void>();
  isDrawing = true;
  receivedBytes = 0;
  /** Of its input, as the gateway reports it. */
  takenBytes = 0;
  output = '';
  closeCode: number | undefined;

  constructor(server: WebSocketServer, socket: WebSocket) {
    this.#server = server;
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#draw(data);
      else this.#note(TerminalFromGateway.parse(JSON.parse(data.toString())));
      this.#waiting.forEach((check) => check());
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#waiting.forEach((check) => check());
    });
  }

  /** The other end. */
  get gatewaySocket(): WebSocket {
    return must([...this.#server.clients][0], 'a connection');
  }

  send(message: TerminalFromBrowser): void {
    this.socket.send(JSON.stringify(message));
  }

  start(typed: { username?: string; password?: string; passphrase?: string } = {}): void {
    this.send({ type: 'start', columns: 80, rows: 24, ...typed });
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  /** Sends no more than the target takes, as the page does. */
  async paste(bytes: Buffer): Promise<void> {
    const before = this.takenBytes;
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const end = Math.min(at + PART_BYTES, bytes.length);
      await this.until(() => end - (this.takenBytes - before) <= terminalInputWindowBytes);
      this.socket.send(bytes.subarray(at, end));
    }
  }

  /** The next message but reports of taken input, which must be of this type. */
  async next<T extends TerminalFromGateway['type']>(type: T): Promise<Extract<TerminalFromGateway, { type: T }>> {
    await this.until(() => this.#messages.length > 0);
    const message = must(this.#messages.shift(), 'a message');
    if (message.type !== type) throw new Error(`Not ${type}: ${JSON.stringify(message)}`);
    return message as Extract<TerminalFromGateway, { type: T }>; // its type was compared
  }

  async shows(text: string): Promise<void> {
    await this.until(() => this.output.includes(text));
  }

  async closes(): Promise<number> {
    await this.until(() => this.closeCode !== undefined);
    return must(this.closeCode, 'a code');
  }

  async until(isTrue: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => (isTrue() ? resolve() : undefined);
    this.#waiting.add(check);
    check();
    await promise;
    this.#waiting.delete(check);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    this.#server.clients.forEach((client) => client.terminate());
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note(message: TerminalFromGateway): void {
    if (message.type === 'taken') this.takenBytes += message.bytes;
    else this.#messages.push(message);
  }

  #draw(data: Buffer): void {
    this.receivedBytes += data.length;
    this.output = (this.output + data.toString()).slice(-1_000_000);
    if (this.isDrawing) this.send({ type: 'drawn', bytes: data.length });
  }
}

export async function openTerminal(session: LiveSession, options?: TerminalOptions): Promise<TestTerminal> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => connectTerminal(session, socket, options));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  const terminal = new TestTerminal(server, socket);
  await once(socket, 'open');
  return terminal;
}
