import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  AGENT_FEATURES,
  type AgentFeature,
  type AgentMessage,
  connectMux,
  decodeOpenRequest,
  encodeMessage,
  loginProof,
  MessageDecoder,
  type Mux,
  type MuxStream,
  type MuxStreamEvents,
  type OpenRequest,
  openRequestLength,
  openStatus,
  type OpenStatus,
  PROTOCOL_VERSION,
  RelayMessage,
} from '@tongtu/tunnel';
import { UdpForward } from './udp-forward.ts';

export type AgentKey = { privateKey: KeyObject; publicKey: string };

/** An Ed25519 key pair from a seed, so that a test can name the public key before the agent exists. */
export function createAgentKey(seed: Buffer = randomBytes(32)): AgentKey {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const { x } = privateKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key has a public part');
  return { privateKey, publicKey: x };
}

/** The target answers before it has read everything, and then resets the connection. */
type Answer = { text: string };

export type TestAgentOptions = {
  port: number;
  relayPin: string;
  key: AgentKey;
  token?: string;
  protocol?: number;
  /** Default: all features. */
  features?: readonly AgentFeature[];
  /** Signs with this key instead of its own. */
  signWith?: KeyObject;
  /**
   * Answers open requests with this status instead of dialling. Undefined: dials. `nonsense`: sends a byte that is not
   * a status. For Answer, see there.
   */
  onOpen?: (request: OpenRequest) => Exclude<OpenStatus, 'connected'> | 'silent' | 'nonsense' | Answer | undefined;
  /** Receives bytes on a used stream before the target does. `say` sends bytes as if from the target. */
  onRequest?: (chunk: Buffer, say: (text: string) => void) => void;
  /** Does not answer the relay's challenge. */
  isMute?: boolean;
  onProbe?: (
    probe: Extract<RelayMessage, { type: 'probe' | 'wake' }>,
  ) => Extract<AgentMessage, { type: 'probe_result' }>;
};

/** A minimal agent: it dials every requested target. */
export class TestAgent implements AsyncDisposable {
  readonly messages: RelayMessage[] = [];
  readonly opened: OpenRequest[] = [];
  readonly mux: Mux;
  readonly #options: TestAgentOptions;
  readonly #socket: TLSSocket;
  readonly #control: MuxStream;
  #isClosed = false;
  #onChange: () => void = () => {};

  constructor(options: TestAgentOptions) {
    this.#options = options;
    this.#socket = connectTls({
      port: options.port,
      host: '127.0.0.1',
      minVersion: 'TLSv1.3',
      rejectUnauthorized: false,
    });
    this.#socket.setNoDelay(true);
    this.mux = connectMux(this.#socket, {
      role: 'client',
      monotonicMs: () => performance.now(),
      onStream: (stream) => new Forward(stream, this.opened, options),
      onClose: () => {
        this.#isClosed = true;
        this.#onChange();
      },
    });
    const decoder = new MessageDecoder(RelayMessage);
    this.#control = this.mux.openStream({
      onData: (chunk) => {
        this.#control.consumed(chunk.length);
        for (const message of decoder.push(chunk)) this.#onMessage(message);
      },
      onEnd() {},
      onReset() {},
      onDrain() {},
    });
    const { publicKey } = options.key;
    const protocol = options.protocol ?? PROTOCOL_VERSION;
    const features = [...(options.features ?? AGENT_FEATURES)];
    this.send({ type: 'hello', protocol, agentVersion: '0.0.0', platform: 'test', publicKey, features });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: AgentMessage): void {
    this.#control.write(encodeMessage(message));
  }

  /** Sends raw bytes between its frames. */
  sendRaw(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  async waitFor<Type extends RelayMessage['type']>(type: Type): Promise<Extract<RelayMessage, { type: Type }>> {
    for (;;) {
      const found = this.messages.find(
        (message): message is Extract<RelayMessage, { type: Type }> => message.type === type,
      );
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`closed while waiting for ${type}: ${JSON.stringify(this.messages)}`);
      await this.#changed();
    }
  }

  async waitClosed(): Promise<void> {
    while (!this.#isClosed) await this.#changed();
  }

  /** Like a killed process: without a goodbye, and without ending its streams. */
  kill(): void {
    this.#socket.destroy();
  }

  /** Like a machine that lost its network: the connection stays open, but nothing is read or sent. */
  freeze(): void {
    this.#socket.pause();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => (this.#onChange = resolve));
  }

  #onMessage(message: RelayMessage): void {
    this.messages.push(message);
    if (message.type === 'challenge' && this.#options.isMute !== true) {
      const proof = loginProof(message.nonce, this.#options.relayPin);
      const signature = sign(null, proof, this.#options.signWith ?? this.#options.key.privateKey).toString('base64url');
      const { token } = this.#options;
      this.send({ type: 'login', signature, ...(token === undefined ? {} : { token, name: 'test' }) });
    } else if ((message.type === 'probe' || message.type === 'wake') && this.#options.onProbe !== undefined) {
      this.send(this.#options.onProbe(message));
    }
    this.#onChange();
  }
}

/** A stream of the relay, connected to one TCP connection. */
class Forward implements MuxStreamEvents {
  readonly #stream: MuxStream;
  readonly #opened: OpenRequest[];
  readonly #options: TestAgentOptions;
  #target: Socket | undefined;
  #pending = Buffer.alloc(0);
  #isAnswered = false;
  #unconsumedBytes = 0;
  #isAnswerNext = true;

  constructor(stream: MuxStream, opened: OpenRequest[], options: TestAgentOptions) {
    this.#stream = stream;
    this.#opened = opened;
    this.#options = options;
  }

  onData(chunk: Buffer): void {
    if (this.#target === undefined) {
      this.#pending = Buffer.concat([this.#pending, chunk]);
      const length = openRequestLength(this.#pending);
      if (length !== undefined && this.#pending.length >= length) this.#open();
    } else {
      this.#options.onRequest?.(chunk, (text) => this.#stream.write(Buffer.from(text)));
      this.#isAnswerNext = true;
      if (this.#target.write(chunk)) this.#stream.consumed(chunk.length);
      else this.#unconsumedBytes += chunk.length;
    }
  }

  onEnd(): void {
    this.#target?.end();
  }

  onReset(): void {
    this.#target?.resetAndDestroy();
  }

  onDrain(): void {
    this.#target?.resume();
  }

  #open(): void {
    const { request, rest } = decodeOpenRequest(this.#pending);
    this.#opened.push(request);
    this.#stream.consumed(this.#pending.length);
    const status = this.#options.onOpen?.(request);
    if (request.kind === 'udp' && status === undefined) {
      this.#stream.events = new UdpForward(this.#stream, request, rest);
      return;
    }
    const target = connectTcp({ host: request.host, port: request.port, allowHalfOpen: true, noDelay: true });
    this.#target = target;
    target.on('error', () => {});
    if (status !== undefined) {
      target.destroy();
      if (typeof status === 'object') this.#answerAndReset(status);
      else if (status === 'nonsense') this.#stream.write(Buffer.of(99));
      else if (status !== 'silent') this.#refuse(status);
      return;
    }
    target.write(rest);
    target.on('drain', () => {
      this.#stream.consumed(this.#unconsumedBytes);
      this.#unconsumedBytes = 0;
    });
    target.on('data', (chunk: Buffer) => {
      const bytes = this.#isAnswered ? chunk : Buffer.concat([Buffer.of(openStatus.connected), chunk]);
      this.#isAnswered = true;
      if (this.#isAnswerNext && this.#stream.queuedBytes === 0) {
        this.#isAnswerNext = false;
        this.#stream.sendEmptyUpdate();
      }
      if (this.#stream.isWritable && !this.#stream.write(bytes)) target.pause();
    });
    target.on('end', () => {
      if (!this.#isAnswered && this.#stream.isWritable) this.#stream.write(Buffer.of(openStatus.connected));
      this.#isAnswered = true;
      this.#stream.end();
    });
    target.on('error', () => (this.#isAnswered ? this.#stream.reset() : this.#refuse('refused')));
  }

  #answerAndReset({ text }: Answer): void {
    this.#stream.write(Buffer.concat([Buffer.of(openStatus.connected), Buffer.from(text)]));
    const resetWhenSent = () => {
      if (this.#stream.queuedBytes === 0) this.#stream.reset();
      else setImmediate(resetWhenSent);
    };
    resetWhenSent();
  }

  #refuse(status: OpenStatus): void {
    this.#isAnswered = true;
    if (!this.#stream.isWritable) return;
    this.#stream.write(Buffer.of(openStatus[status]));
    this.#stream.end();
  }
}
