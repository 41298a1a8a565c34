import { performance } from 'node:perf_hooks';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  AGENT_FEATURES,
  encodeJoin,
  JOIN_PROTOCOL,
  JoinAnswer,
  JoinReader,
  type JoinRequest,
  MuxCarrier,
} from '@tongtu/tunnel';
import { Forward } from './forward.ts';
import { TestAgent, type TestAgentOptions } from './test-agent.ts';

/** A minimal agent with a session of several connections. It joins only when a test says so. */
export class ChannelAgent implements AsyncDisposable {
  readonly first: TestAgent;
  /** The open channels besides the first. */
  readonly further = new Map<number, MuxCarrier>();
  readonly #options: TestAgentOptions;
  #lastAttempt = 0;

  constructor(options: TestAgentOptions) {
    this.#options = options;
    this.first = new TestAgent({ features: AGENT_FEATURES, ...options });
  }

  /** The latest number of channels that the relay has asked for. */
  get wanted(): number {
    return this.first.messages.findLast((message) => message.type === 'channels')?.wanted ?? 1;
  }

  carrierOf(channel: number): MuxCarrier {
    if (channel === 0) return this.first.carrier;
    const known = this.further.get(channel);
    if (known !== undefined) return known;
    const carrier: MuxCarrier = new MuxCarrier({
      role: 'client',
      monotonicMs: () => performance.now(),
      isResumable: true,
      onStream: (stream) => new Forward(stream, this.first.opened, this.#options),
      onDisconnect() {},
      onClose: () => this.further.delete(channel),
    });
    this.further.set(channel, carrier);
    return carrier;
  }

  /** What a join of this channel says, by an agent that does as it should. */
  async requestOf(channel: number): Promise<JoinRequest> {
    const { session } = await this.first.waitFor('welcome');
    if (session === undefined) throw new Error('the relay has given no session');
    const { receivedBytes } = this.carrierOf(channel).mux;
    return { session: session.id, secret: session.secret, channel, attempt: ++this.#lastAttempt, receivedBytes };
  }

  /** Opens a channel, or gives it another connection, and resolves with the relay's answer. */
  async join(channel: number, changes: Partial<JoinRequest> = {}): Promise<JoinAnswer> {
    const carrier = this.carrierOf(channel);
    carrier.detach();
    const request = { ...(await this.requestOf(channel)), ...changes };
    const { socket, answer } = await sendJoin(this.#options.port, request);
    if (answer.type === 'joined') carrier.attach(socket, answer.receivedBytes);
    else socket.destroy();
    socket.resume();
    return answer;
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const carrier of this.further.values()) {
      carrier.mux.close();
      carrier.detach();
    }
    return this.first[Symbol.asyncDispose]();
  }
}

/** Sends a join as it is; rejects when the relay ends the connection without an answer. */
export async function sendJoin(port: number, request: JoinRequest): Promise<{ socket: TLSSocket; answer: JoinAnswer }> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: [JOIN_PROTOCOL] });
  socket.setNoDelay(true);
  socket.write(encodeJoin(request));
  const reader = new JoinReader(JoinAnswer);
  return await new Promise((resolve, reject) => {
    socket.on('error', () => {});
    socket.on('close', () => reject(new Error('the relay has ended the connection')));
    socket.on('data', function onData(chunk: Buffer) {
      const read = reader.push(chunk);
      if (read === undefined) return;
      socket.off('data', onData);
      // What follows belongs to the channel, whose carrier is not there yet.
      socket.pause();
      if (read.rest.length > 0) socket.unshift(read.rest);
      resolve({ socket, answer: read.message });
    });
  });
}
