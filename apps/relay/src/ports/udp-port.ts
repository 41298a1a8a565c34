import type { RemoteInfo, Socket } from 'node:dgram';
import { canonicalAddress } from '@tongtu/base';
import { ConnectionLimit } from '../net/connection-limit.ts';
import type { OpenPort, OpenPortDeps } from './open-port.ts';
import { askToMark, openVisit } from './open-visit.ts';
import { UdpConversation } from './udp-conversation.ts';

/** Datagrams to visitors that the system has not taken yet; more are dropped. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Where there is no room, a conversation that got no answer for this long makes it. Forged addresses get none. */
const UNANSWERED_MS = 5_000;

/**
 * A public port whose UDP datagrams go to a device, each visitor's address and port with a stream of its own. Nothing is
 * ever sent to an address that has not sent first.
 */
export class UdpPort implements OpenPort {
  readonly connectionCount = 0;
  readonly #socket: Socket;
  readonly #deps: OpenPortDeps;
  readonly #limit: ConnectionLimit;
  readonly #conversations = new Map<string, UdpConversation>();
  /** Those of them that the device has not answered, the oldest first. */
  readonly #unanswered = new Map<string, UdpConversation>();
  readonly #releases = new Map<string, () => void>();
  #isClosed = false;

  constructor(socket: Socket, deps: OpenPortDeps) {
    this.#socket = socket;
    this.#deps = deps;
    const { maxConversationsPerVisitor, maxConversationsPerPort } = deps.limits;
    this.#limit = new ConnectionLimit({ perAddress: maxConversationsPerVisitor, total: maxConversationsPerPort });
    socket.on('message', (datagram, from) => this.#onMessage(datagram, from));
  }

  /** Cuts open conversations too: the next datagram goes to another relay process that shares the port, if there is one. */
  stop(): void {
    this.close();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close();
    for (const [name, conversation] of this.#conversations) this.#end(name, conversation);
  }

  sweep(monotonicMs: number): void {
    for (const [name, conversation] of this.#conversations) {
      if (monotonicMs - conversation.lastActiveMs > this.#deps.limits.udpIdleMs) this.#end(name, conversation);
    }
  }

  #onMessage(datagram: Buffer, from: RemoteInfo): void {
    const name = `${from.port} ${from.address}`;
    const conversation = this.#conversations.get(name) ?? this.#begin(name, from);
    conversation?.receive(datagram);
  }

  #begin(name: string, { address, port }: RemoteInfo): UdpConversation | undefined {
    if (port === 0) return undefined; // no answer could ever be sent there
    const visitor = canonicalAddress(address);
    if (this.#conversations.size >= this.#deps.limits.maxConversationsPerPort) this.#makeRoom();
    const release = this.#limit.enter(visitor);
    if (release === undefined) {
      this.#deps.abuse.report('connections', { ip: visitor, at: 'udp' });
      return undefined;
    }
    const visit = openVisit(this.#deps, visitor);
    if (visit === undefined) {
      release();
      // A client that is marked is heard from its next datagram on.
      void askToMark(this.#deps, visitor);
      return undefined;
    }
    const conversation = new UdpConversation(visit, {
      monotonicMs: this.#deps.monotonicMs,
      send: (datagram) => this.#send(datagram, address, port),
      onAnswered: () => this.#unanswered.delete(name),
      onEnded: () => this.#forget(name),
    });
    this.#conversations.set(name, conversation);
    this.#unanswered.set(name, conversation);
    this.#releases.set(name, release);
    return conversation;
  }

  #makeRoom(): void {
    const [oldest] = this.#unanswered;
    if (oldest !== undefined && this.#deps.monotonicMs() - oldest[1].beganAtMs >= UNANSWERED_MS) this.#end(...oldest);
  }

  #send(datagram: Buffer, address: string, port: number): void {
    if (this.#isClosed || this.#socket.getSendQueueSize() > MAX_UNSENT_BYTES) return;
    // What cannot be sent, to a network without a route, say, is lost like any datagram.
    this.#socket.send(datagram, port, address, () => {});
  }

  #end(name: string, conversation: UdpConversation): void {
    conversation.close();
    this.#forget(name);
  }

  #forget(name: string): void {
    this.#conversations.delete(name);
    this.#unanswered.delete(name);
    this.#releases.get(name)?.();
    this.#releases.delete(name);
  }
}
