import { canonicalAddress } from '@tongtu/base';
import { encodeFrpMessage, FrpError, FrpMessageDecoder, type FrpMessageOf, type Wire } from '@tongtu/frp';
import { DatagramDecoder, encodeDatagram } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { UpstreamBusyError } from '../upstream/upstream-stream.ts';
import type { TakeConnection, WorkConnection } from './coded-connection.ts';
import type { VisitorEnds } from './frpc-proxies.ts';

/** Where the visitor's port is not known, as from an older relay process: a conversation is then named by a port here. */
const CONVERSATION_HOST = '192.0.2.1';
const MAX_CONVERSATIONS = 4_096;
/** Of a message of wire v1, in base64. frpc itself takes 1 500 bytes unless it is configured otherwise. */
const MAX_DATAGRAM_BYTES = 6_000;
/** Beyond that, datagrams are dropped. */
const MAX_QUEUED_BYTES = 256 * 1024;
const MAX_WAITING = 64;

/** A udp proxy of a frpc.toml. One work connection, which is opened when needed, carries all conversations. */
export class UdpProxy {
  readonly #wire: Wire;
  readonly #take: TakeConnection;
  /** By the address that names each. frpc gives it back with every answer, and `proxyProtocolVersion` passes it on. */
  readonly #conversations = new Map<string, UdpTarget>();
  #lastId = 0;
  #stream: WorkConnection | undefined;
  #giveUp: (() => void) | undefined;
  #waiting: Buffer[] = [];

  constructor(wire: Wire, take: TakeConnection) {
    this.#wire = wire;
    this.#take = take;
  }

  /** Throws UpstreamBusyError. */
  open(events: TargetEvents, visitor: VisitorEnds): TargetStream {
    if (this.#conversations.size >= MAX_CONVERSATIONS) throw new UpstreamBusyError('too many UDP conversations');
    const address = this.#nameFor(visitor);
    const key = keyOf(address);
    const target = new UdpTarget(events, {
      send: (datagram) => this.#send(address, datagram),
      onClosed: () => this.#conversations.get(key) === target && this.#conversations.delete(key),
    });
    this.#conversations.set(key, target);
    return target;
  }

  /** The proxy has ended. Its conversations end with their visitors. */
  close(): void {
    this.#giveUp?.();
    this.#stream?.reset();
    this.#stream = undefined;
    this.#waiting = [];
  }

  #nameFor({ visitorAddress, origin }: VisitorEnds): Address {
    if (origin !== undefined) return { IP: visitorAddress, Port: origin.visitorPort };
    do this.#lastId = (this.#lastId % 65_535) + 1;
    while (this.#conversations.has(keyOf({ IP: CONVERSATION_HOST, Port: this.#lastId })));
    return { IP: CONVERSATION_HOST, Port: this.#lastId };
  }

  #send(address: Address, datagram: Buffer): void {
    if (datagram.length > MAX_DATAGRAM_BYTES) return;
    const r = { ...address, Zone: '' };
    const message = encodeFrpMessage(this.#wire, 'UDPPacket', { c: datagram.toString('base64'), l: null, r });
    if (this.#stream !== undefined) {
      if (this.#stream.isWritable && this.#stream.queuedBytes < MAX_QUEUED_BYTES) this.#stream.write(message);
      return;
    }
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(message);
    this.#giveUp ??= this.#take((stream) => this.#begin(stream));
  }

  #begin(stream: WorkConnection): void {
    const decoder = new FrpMessageDecoder(this.#wire);
    const lose = () => {
      if (this.#stream === stream) this.#stream = undefined;
      stream.reset();
    };
    this.#giveUp = undefined;
    this.#stream = stream;
    stream.events = {
      onData: (chunk) => {
        stream.consumed(chunk.length);
        try {
          for (const message of decoder.push(chunk)) if (message.type === 'UDPPacket') this.#onPacket(message);
        } catch (error) {
          if (!(error instanceof FrpError)) throw error;
          lose();
        }
      },
      onEnd: lose,
      onReset: lose,
      onDrain() {},
    };
    for (const message of this.#waiting.splice(0)) stream.write(message);
  }

  #onPacket({ c, r }: FrpMessageOf<'UDPPacket'>): void {
    if (r) this.#conversations.get(keyOf(r))?.receive(Buffer.from(c, 'base64'));
  }
}

type Address = { IP: string; Port: number };

/** frpc may spell an IPv6 address in another way. */
function keyOf({ IP, Port }: Address): string {
  return `${canonicalAddress(IP)} ${Port}`;
}

type UdpTargetDeps = { send: (datagram: Buffer) => void; onClosed: () => void };

/** One conversation, as the stream of datagrams that the relay's ports speak. */
class UdpTarget implements TargetStream {
  readonly isWritable = true;
  readonly queuedBytes = 0;
  readonly emptyUpdateCount = 0;
  readonly #events: TargetEvents;
  readonly #deps: UdpTargetDeps;
  readonly #decoder = new DatagramDecoder();

  constructor(events: TargetEvents, deps: UdpTargetDeps) {
    this.#events = events;
    this.#deps = deps;
  }

  receive(datagram: Buffer): void {
    this.#events.onData(encodeDatagram(datagram));
  }

  write(chunk: Buffer): boolean {
    for (const datagram of this.#decoder.push(chunk)) this.#deps.send(datagram);
    return true;
  }

  end(): void {
    this.#deps.onClosed();
  }

  reset(): void {
    this.#deps.onClosed();
  }

  consumed(): void {}
}
