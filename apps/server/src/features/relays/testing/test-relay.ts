import { once } from 'node:events';
import {
  RELAY_CONTROL_PROTOCOL,
  ServerToRelay,
  type PresenceEvent,
  type RelayToServer,
  type UsageEntry,
} from '@tongtu/contract';
import { WebSocket } from 'ws';

const edgeTypes: ReadonlySet<string> = new Set(['edge', 'certificates', 'certificates_kept']);

type MessageOf<Type extends ServerToRelay['type']> = Extract<ServerToRelay, { type: Type }>;

/** A relay for tests: a real WebSocket that stores the server's messages until the test reads them. */
export class TestRelay implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #inbox: ServerToRelay[] = [];
  readonly #closed: Promise<number>;
  #arrived = Promise.withResolvers<void>();

  constructor(port: number, headers: Record<string, string>) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/internal/relay-control/`, { headers });
    this.#socket.on('message', (bytes: Buffer) => {
      this.#inbox.push(ServerToRelay.parse(JSON.parse(bytes.toString())));
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
    this.#socket.on('error', () => undefined); // the tests look at the close code
    this.#closed = new Promise((resolve) => this.#socket.on('close', resolve));
  }

  static async connect(port: number, secret: string): Promise<TestRelay> {
    const relay = new TestRelay(port, { authorization: `Bearer ${secret}` });
    await once(relay.#socket, 'open');
    return relay;
  }

  /** Connects, says hello, and waits for the snapshot. */
  static async join(port: number, secret: string): Promise<TestRelay> {
    const relay = await TestRelay.connect(port, secret);
    relay.hello();
    await relay.next('snapshot');
    return relay;
  }

  send(message: RelayToServer): void {
    this.sendText(JSON.stringify(message));
  }

  sendText(text: string | Buffer): void {
    this.#socket.send(text);
  }

  hello(online: PresenceEvent[] = [], relayId = 'r1'): void {
    this.send({ type: 'hello', protocol: RELAY_CONTROL_PROTOCOL, relayId, bootId: 'boot', online });
  }

  /** Sends a usage report. Resolves with the number of the stored report. */
  async reportUsage(sequence: number, entries: UsageEntry[], bootId = 'boot'): Promise<number> {
    this.send({ type: 'usage', bootId, sequence, entries });
    return (await this.next('usage_stored')).sequence;
  }

  /** The next message of this type, in order of arrival. Others stay. */
  async next<Type extends ServerToRelay['type']>(type: Type): Promise<MessageOf<Type>> {
    for (;;) {
      const index = this.#inbox.findIndex((message) => message.type === type);
      // findIndex compared the type.
      if (index >= 0) return this.#inbox.splice(index, 1)[0] as MessageOf<Type>;
      await this.#arrived.promise;
    }
  }

  /** The next message of any type but those of the TLS edge, whose time is not predictable. */
  async nextOfAny(): Promise<ServerToRelay> {
    for (;;) {
      const index = this.#inbox.findIndex((message) => !edgeTypes.has(message.type));
      if (index >= 0) return this.#inbox.splice(index, 1)[0]!; // checked by findIndex
      await this.#arrived.promise;
    }
  }

  /** The close code of the connection. */
  async closed(): Promise<number> {
    return await this.#closed;
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes the connection with this code. */
  close(code: number): void {
    this.#socket.close(code);
  }

  /** Ends the connection without a close frame. */
  terminate(): void {
    this.#socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.#closed;
  }
}
