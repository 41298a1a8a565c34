import type { RemoteInfo, Socket } from 'node:dgram';
import { canonicalAddress } from '@tongtu/base';
import { ConnectionLimit } from '../net/connection-limit.ts';
import type { OpenPort, OpenPortDeps } from './open-port.ts';
import { askToMark, openVisit, recordDenial } from './open-visit.ts';
import { UdpConversation } from './udp-conversation.ts';

/** Datagrams to visitors that the system has not taken yet; more are dropped. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** When the port is full, a conversation without an answer for this long is ended. Forged addresses get no answer. */
const UNANSWERED_MS = 5_000;

/**
 * A public port whose UDP datagrams are forwarded to a device, with one stream for each visitor's address and port. It
 * sends nothing to an address that has not sent first.
 */
export class UdpPort implements OpenPort {
  readonly connectionCount = 0;
  readonly #socket: Socket;
  readonly #deps: OpenPortDeps;
  readonly #limit: ConnectionLimit;
  readonly #conversations = new Map<string, UdpConversation>();
  /** The conversations without an answer of the device, the oldest first. */
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

  /** Cuts open conversations, too: the next datagram goes to another relay process that shares the port. */
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
    // The socket does not say which address the datagram was sent to.
    const origin = { visitorPort: port, publicAddress: '', publicPort: 0 };
    const visit = openVisit(this.#deps, visitor, 'UDP', origin);
    if (visit === undefined) {
      release();
      // A marked client passes with its next datagram.
      if (askToMark(this.#deps, visitor) === undefined) recordDenial(this.#deps, visitor, 'UDP');
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
    // A datagram that cannot be sent, for example without a network route, is lost like any other.
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
