import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { must } from '@tongtu/base';
import {
  type ChannelSession,
  encodeJoin,
  type JoinAnswer,
  JoinReader,
  JoinRequest,
  MAX_CHANNELS,
  type Mux,
  MuxCarrier,
} from '@tongtu/tunnel';

type TestChannel = { carrier: MuxCarrier; attempt: number };

/** The channels of one session, seen from the relay. */
export class TestChannels {
  readonly session: ChannelSession = {
    id: randomBytes(16).toString('base64url'),
    secret: randomBytes(32).toString('base64url'),
    maxChannels: MAX_CHANNELS,
  };
  /** Every join that was granted. */
  readonly joins: JoinRequest[] = [];
  readonly #channels = new Map<number, TestChannel>();
  #onChange: () => void = () => {};

  /** The channel of the login. */
  add(number: number, carrier: MuxCarrier, attempt = 0): void {
    this.#channels.set(number, { carrier, attempt });
  }

  get numbers(): number[] {
    return [...this.#channels.keys()];
  }

  mux(number: number): Mux {
    return must(this.#channels.get(number), `channel ${number}`).carrier.mux;
  }

  async untilJoins(count: number): Promise<void> {
    while (this.joins.length < count) await new Promise<void>((resolve) => (this.#onChange = resolve));
  }

  /** Another join of this channel is refused. */
  forget(number: number): void {
    const channel = must(this.#channels.get(number), `channel ${number}`);
    channel.attempt = Number.MAX_SAFE_INTEGER;
  }

  closeAll(): void {
    for (const { carrier } of [...this.#channels.values()]) carrier.mux.close();
  }

  join(socket: TLSSocket, request: JoinRequest, rest: Buffer): void {
    const { channel: number, attempt } = request;
    const channel = this.#channels.get(number) ?? this.#open(number);
    const isRepeated = attempt <= channel.attempt;
    if (isRepeated || channel.carrier.mux.outputSince(request.receivedBytes) === undefined)
      return refuse(socket, 'channel.refused');
    channel.attempt = attempt;
    this.joins.push(request);
    answer(socket, { type: 'joined', receivedBytes: channel.carrier.mux.receivedBytes });
    if (rest.length > 0) socket.unshift(rest);
    channel.carrier.attach(socket, request.receivedBytes);
    socket.resume();
    this.#onChange();
  }

  #open(number: number): TestChannel {
    const carrier = new MuxCarrier({
      role: 'server',
      monotonicMs: () => performance.now(),
      isResumable: true,
      onStream: () => {
        throw new Error('an agent opens no stream on a further channel');
      },
      onDisconnect: () => {},
      onClose: () => this.#channels.delete(number),
    });
    this.add(number, carrier);
    return must(this.#channels.get(number), 'the channel');
  }
}

/** Reads the join of a connection and has the session carry its channel. */
export function acceptJoin(socket: TLSSocket, find: (id: string) => TestChannels | undefined): void {
  const reader = new JoinReader(JoinRequest);
  const onData = (chunk: Buffer) => {
    const read = reader.push(chunk);
    if (read === undefined) return;
    socket.off('data', onData);
    socket.pause();
    const channels = find(read.message.session);
    if (channels?.session.secret === read.message.secret) channels.join(socket, read.message, read.rest);
    else refuse(socket, 'session.unknown');
  };
  socket.on('data', onData);
}

function refuse(socket: TLSSocket, code: string): void {
  answer(socket, { type: 'refused', code });
  socket.end();
}

function answer(socket: TLSSocket, message: JoinAnswer): void {
  socket.write(encodeJoin(message));
}
