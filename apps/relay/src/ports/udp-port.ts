import type { RemoteInfo, Socket } from 'node:dgram';
import { canonicalAddress, networkOf } from '@tongtu/base';
import type { OpenPort, OpenPortDeps } from './open-port.ts';
import { askToMark, openVisit, recordDenial } from './open-visit.ts';
import { UdpConversation } from './udp-conversation.ts';

/** Datagrams to visitors that the system has not taken yet; more are dropped. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** When the port is full, a conversation without an answer for this long is ended. Forged addresses get no answer. */
const UNANSWERED_MS = 5_000;
/** One of another visitor's must have been silent for this long before it is ended. */
const SILENT_MS = 5_000;
/** How long it is shown that the limit was reached. */
const SHOWN_MS = 600_000;

/** So often a visitor may give up a conversation for another one: each costs a stream to the device. */
const EXCHANGES_BURST = 2_000;
const EXCHANGES_PER_SECOND = 1_000;

type Conversations = Map<string, UdpConversation>;

/**
 * A public port whose UDP datagrams are forwarded to a device, with one stream for each visitor's address and port. It
 * sends nothing to an address that has not sent first. At its limit a visitor gives up the conversation that has been idle
 * for longest: a resolver or a network of players has hundreds, most of which are over.
 */
export class UdpPort implements OpenPort {
  readonly connectionCount = 0;
  readonly #socket: Socket;
  readonly #deps: OpenPortDeps;
  readonly #conversations: Conversations = new Map();
  /** By the visitor's network. */
  readonly #byVisitor = new Map<string, Conversations>();
  /** The conversations without an answer of the device, the oldest first. */
  readonly #unanswered: Conversations = new Map();
  /** Of visitors with conversations: how often they may still exchange one. */
  readonly #exchanges = new Map<string, { left: number; atMs: number }>();
  #fullAtMs = -Infinity;
  #isClosed = false;

  constructor(socket: Socket, deps: OpenPortDeps) {
    this.#socket = socket;
    this.#deps = deps;
    socket.on('message', (datagram, from) => this.#onMessage(datagram, from));
  }

  get wasFull(): boolean {
    return this.#deps.monotonicMs() - this.#fullAtMs < SHOWN_MS;
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
    const own = this.#byVisitor.get(networkOf(visitor)) ?? new Map<string, UdpConversation>();
    // The socket does not say which address the datagram was sent to.
    const origin = { visitorPort: port, publicAddress: '', publicPort: 0 };
    const onBusy = () => own.size > 0 && this.#makeRoom(visitor, own);
    const makeRoom = () => this.#hasRoomFor(own) || this.#makeRoom(visitor, own);
    const visit = openVisit(this.#deps, visitor, 'UDP', { origin, makeRoom, onBusy });
    if (visit === undefined) {
      // A marked client passes with its next datagram.
      if (askToMark(this.#deps, visitor) === undefined) recordDenial(this.#deps, visitor, 'UDP');
      return undefined;
    }
    const conversation = new UdpConversation(visit, networkOf(visitor), {
      monotonicMs: this.#deps.monotonicMs,
      send: (datagram) => this.#send(datagram, address, port),
      onAnswered: () => this.#unanswered.delete(name),
      onEnded: () => this.#forget(name, networkOf(visitor)),
    });
    own.set(name, conversation);
    this.#byVisitor.set(networkOf(visitor), own);
    this.#conversations.set(name, conversation);
    this.#unanswered.set(name, conversation);
    return conversation;
  }

  #hasRoomFor(own: Conversations): boolean {
    const { maxConversationsPerVisitor, maxConversationsPerPort } = this.#deps.limits;
    return own.size < maxConversationsPerVisitor && this.#conversations.size < maxConversationsPerPort;
  }

  /** Ends a conversation of the visitor's, or one of others without use. False: every other one is in use. */
  #makeRoom(visitor: string, own: Conversations): boolean {
    const monotonicMs = this.#deps.monotonicMs();
    this.#fullAtMs = monotonicMs;
    const hasEnded =
      own.size > 0 ? this.#exchange(networkOf(visitor), own, monotonicMs) : this.#takeUnused(monotonicMs);
    if (hasEnded) this.#deps.abuse.report('udp', { ip: visitor });
    else this.#deps.abuse.report('connections', { ip: visitor, at: 'udp' });
    return hasEnded;
  }

  /** Prefers one of a visitor that fills the port, so that players behind one address do not end each other. */
  #exchange(network: string, own: Conversations, monotonicMs: number): boolean {
    if (!this.#mayExchange(network, monotonicMs)) return false;
    const isPortFull = this.#conversations.size >= this.#deps.limits.maxConversationsPerPort;
    if (!isPortFull || !this.#takeFromLargest(monotonicMs, own.size)) this.#end(...idlestOf(own));
    return true;
  }

  #takeUnused(monotonicMs: number): boolean {
    const [oldest] = this.#unanswered;
    if (oldest === undefined || monotonicMs - oldest[1].beganAtMs < UNANSWERED_MS)
      return this.#takeFromLargest(monotonicMs, 1);
    this.#end(...oldest);
    return true;
  }

  #mayExchange(network: string, monotonicMs: number): boolean {
    const { left: before, atMs } = this.#exchanges.get(network) ?? { left: EXCHANGES_BURST, atMs: monotonicMs };
    const left = Math.min(EXCHANGES_BURST, before + ((monotonicMs - atMs) / 1000) * EXCHANGES_PER_SECOND);
    this.#exchanges.set(network, { left: Math.max(0, left - 1), atMs: monotonicMs });
    return left >= 1;
  }

  /**
   * Of the visitor with the most conversations, and more than `kept`: one that has a single one keeps it, however many
   * addresses are forged.
   */
  #takeFromLargest(monotonicMs: number, kept: number): boolean {
    let largest: Conversations = new Map();
    for (const conversations of this.#byVisitor.values())
      if (conversations.size > largest.size) largest = conversations;
    if (largest.size <= kept) return false;
    const [name, conversation] = idlestOf(largest);
    if (monotonicMs - conversation.lastActiveMs < SILENT_MS) return false;
    this.#end(name, conversation);
    return true;
  }

  #send(datagram: Buffer, address: string, port: number): void {
    if (this.#isClosed || this.#socket.getSendQueueSize() > MAX_UNSENT_BYTES) return;
    // A datagram that cannot be sent, for example without a network route, is lost like any other.
    this.#socket.send(datagram, port, address, () => {});
  }

  #end(name: string, conversation: UdpConversation): void {
    conversation.close();
    this.#forget(name, conversation.network);
  }

  #forget(name: string, network: string): void {
    this.#conversations.delete(name);
    this.#unanswered.delete(name);
    const own = this.#byVisitor.get(network);
    own?.delete(name);
    if (own?.size !== 0) return;
    this.#byVisitor.delete(network);
    this.#exchanges.delete(network);
  }
}

/** Of at least one. */
function idlestOf(conversations: Conversations): [name: string, UdpConversation] {
  return [...conversations].reduce((idlest, other) =>
    other[1].lastActiveMs < idlest[1].lastActiveMs ? other : idlest,
  );
}
