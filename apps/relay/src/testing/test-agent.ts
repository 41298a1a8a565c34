import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import {
  AGENT_FEATURES,
  type AgentFeature,
  type AgentMessage,
  encodeMessage,
  loginProof,
  MessageDecoder,
  type Mux,
  MuxCarrier,
  type MuxStream,
  type OpenRequest,
  PROTOCOL_VERSION,
  RelayMessage,
} from '@tongtu/tunnel';
import { Forward, type ForwardOptions } from './forward.ts';

export type AgentKey = { privateKey: KeyObject; publicKey: string };

/** An Ed25519 key pair from a seed, so that a test can name the public key before the agent exists. */
export function createAgentKey(seed: Buffer = randomBytes(32)): AgentKey {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const { x } = privateKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key has a public part');
  return { privateKey, publicKey: x };
}

export type TestAgentOptions = ForwardOptions & {
  port: number;
  relayPin: string;
  key: AgentKey;
  token?: string;
  protocol?: number;
  /** Default: all features but `channels`, whose session outlives its connection. */
  features?: readonly AgentFeature[];
  /** Signs with this key instead of its own. */
  signWith?: KeyObject;
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
  readonly carrier: MuxCarrier;
  readonly #options: TestAgentOptions;
  readonly #control: MuxStream;
  #isClosed = false;
  #onChange: () => void = () => {};

  constructor(options: TestAgentOptions) {
    this.#options = options;
    const features = [...(options.features ?? AGENT_FEATURES.filter((feature) => feature !== 'channels'))];
    const isResumable = features.includes('channels');
    this.carrier = new MuxCarrier({
      role: 'client',
      monotonicMs: () => performance.now(),
      isResumable,
      onStream: (stream) => new Forward(stream, this.opened, options),
      ...(isResumable && { onDisconnect: () => this.#onChange() }),
      onClose: () => {
        this.#isClosed = true;
        this.#onChange();
      },
    });
    const socket = connectTls({
      port: options.port,
      host: '127.0.0.1',
      minVersion: 'TLSv1.3',
      rejectUnauthorized: false,
    });
    socket.setNoDelay(true);
    this.carrier.attach(socket);
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
    this.send({ type: 'hello', protocol, agentVersion: '0.0.0', platform: 'test', publicKey, features });
  }

  get mux(): Mux {
    return this.carrier.mux;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: AgentMessage): void {
    this.#control.write(encodeMessage(message));
  }

  /** Sends raw bytes between its frames. */
  sendRaw(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.carrier.socket?.write(bytes, () => resolve()));
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
    this.carrier.socket?.destroy();
  }

  /** Like a machine that lost its network: the connection stays open, but nothing is read or sent. */
  freeze(): void {
    this.carrier.socket?.pause();
  }

  /** Its network is back. */
  thaw(): void {
    this.carrier.socket?.resume();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.mux.close();
    this.carrier.detach();
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
