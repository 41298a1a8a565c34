import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ReceivedText } from './received-text.ts';
import type { Received, ScriptedVisitor } from './scripted-visitor.ts';
import type { Ending } from './steps.ts';

const OWN_HEAD = /^HTTP\/1\.1 ([0-9]{3}) [^]*?\r\nContent-Length: ([0-9]+)\r\n[^]*?\r\n\r\n/;

/** A visitor that sends exactly the given bytes. */
export class Http1Visitor implements ScriptedVisitor {
  readonly scheme = 'http';
  readonly #socket: Socket;
  readonly #received = new ReceivedText();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#received.add(text));
    socket.on('end', () => this.#received.finish('end'));
    socket.on('error', () => this.#received.finish('cut'));
    socket.on('close', () => this.#received.finish('cut'));
  }

  static async connect(port: number): Promise<Http1Visitor> {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    await once(socket, 'connect');
    return new Http1Visitor(socket);
  }

  get unread(): string {
    return this.#received.unread;
  }

  fieldName(name: string): string {
    return name;
  }

  say(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  end(): void {
    this.#socket.end();
  }

  /** By a reset: after an end alone the visitor would still wait for answers. */
  leave(): void {
    this.#socket.resetAndDestroy();
  }

  async receive(text: string): Promise<Received> {
    return await this.#received.take(text);
  }

  async receivePage(): Promise<{ status: number; goesOn: boolean } | undefined> {
    const head = await this.#received.takeMatch(OWN_HEAD);
    if (head === undefined) return undefined;
    await this.#received.takeMatch(new RegExp(`^[^]{${head[2]}}`));
    return { status: Number(head[1]), goesOn: !/\r\nConnection: close\r\n/.test(head[0]) };
  }

  async receiveEnding(): Promise<Ending | undefined> {
    return await this.#received.untilEnding();
  }
}
