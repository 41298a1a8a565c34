import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './lan-service.ts';

type Held = { to: Socket; deliver: () => void };
type Connection = { near: Socket; far: Socket; isSilent: boolean; held: Held[] };

/** A line between an agent and a relay's port, which a test can cut. */
export class TestLine implements AsyncDisposable {
  port = 0;
  /** False: new connections are accepted, as by some routers, and pass nothing. */
  isOpen = true;
  accepted = 0;
  readonly #server;
  readonly #connections = new Set<Connection>();

  private constructor(target: number) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
      this.accepted++;
      const far = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true, noDelay: true });
      const connection: Connection = { near, far, isSilent: !this.isOpen, held: [] };
      this.#connections.add(connection);
      pass(connection, near, far);
      pass(connection, far, near);
      for (const socket of [near, far]) {
        socket.on('close', () => {
          if (near.closed && far.closed) this.#connections.delete(connection);
        });
      }
    });
  }

  static async open(target: number): Promise<TestLine> {
    const line = new TestLine(target);
    line.port = await listenOnLoopback(line.#server);
    return line;
  }

  get openCount(): number {
    return this.#open.length;
  }

  /** Of the open connections, from the first: what arrives from now on waits, as behind a lost packet. */
  silence(count = this.openCount): void {
    for (const connection of this.#open.slice(0, count)) connection.isSilent = true;
  }

  /** Of the open connections, from the first: what waited is delivered, and what follows. */
  release(count: number): void {
    for (const connection of this.#open.slice(0, count)) {
      connection.isSilent = false;
      for (const { deliver } of connection.held.splice(0)) deliver();
    }
  }

  /** What waited for the agent is delivered; what follows, and the other direction, is not. */
  deliverToAgent(): void {
    for (const connection of this.#connections) {
      const isForAgent = ({ to }: Held) => to === connection.near;
      for (const { deliver } of connection.held.filter(isForAgent)) deliver();
      connection.held = connection.held.filter((held) => !isForAgent(held));
    }
  }

  /** Resets the open connections, from the first. */
  cut(count = this.openCount): void {
    for (const { near, far } of this.#open.slice(0, count)) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const { near, far } of this.#connections) {
      near.destroy();
      far.destroy();
    }
    await closed;
  }

  /** The connections that the agent has not closed. */
  get #open(): Connection[] {
    return [...this.#connections].filter(({ near }) => !near.destroyed && !near.readableEnded);
  }
}

function pass(connection: Connection, from: Socket, to: Socket): void {
  const forward = (deliver: () => void) => {
    if (connection.isSilent) connection.held.push({ to, deliver });
    else deliver();
  };
  from.on('data', (chunk: Buffer) => forward(() => to.write(chunk)));
  from.on('end', () => forward(() => to.end()));
  from.on('error', () => {}); // connections are cut on purpose here
  from.on('close', () => forward(() => to.destroy()));
}
