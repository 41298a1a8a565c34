import { connect as connectTcp } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  AeadCipher,
  CfbCipher,
  type ControlCipher,
  encodeFrpMessage,
  encodeV2Frame,
  type FrpFields,
  type FrpMessage,
  type FrpMessageOf,
  FrpMessageDecoder,
  loginKey,
  type MessageType,
  transcriptHash,
  V2_MAGIC,
  v2FrameType,
  type Wire,
  WorkCodec,
} from '@tongtu/frp';
import { connectMux, type Mux, type MuxStream } from '@tongtu/tunnel';
import { FakePlugin } from './fake-plugin.ts';

export type TestFrpcOptions = {
  port: number;
  user: string;
  token: string;
  wire?: Wire;
  /** The host name in its ClientHello. */
  serverName?: string;
  runId?: string;
  timestamp?: number;
  /** Sent before TLS begins. */
  mark?: Buffer;
  proxies?: FrpFields<'NewProxy'>[];
  /** Default: it opens each work connection that it is asked for. */
  opensWork?: boolean;
  /** The local ports of proxies without the plugin, by their full names. */
  localPorts?: Record<string, number>;
  hostName?: string;
  /** Answers requests in place of dialling, with these bytes; undefined: dials. `silent`: never answers. */
  onRequest?: (line: string) => { answer: string } | 'silent' | undefined;
  /** Keeps its control stream in another cipher than its token says. */
  cipherToken?: string;
  /** Does not try to read what is sealed for it. */
  isDeaf?: boolean;
};

const CLIENT_HELLO = JSON.stringify({
  bootstrap: { transport: 'tcp', tls: true, tcpMux: true },
  capabilities: {
    message: { codecs: ['json'] },
    crypto: { algorithms: ['aes-256-gcm', 'xchacha20-poly1305'], clientRandom: 'AAAA' },
  },
});

/** Each login needs a later time than the one before: behind the clock there is room for many in a second. */
const BEHIND_SECONDS = 200;
let lastLoginTime = 0;

/** A time for a login that no login of this process has used. */
export function nextLoginTime(): number {
  lastLoginTime = Math.max(lastLoginTime + 1, Math.floor(Date.now() / 1_000) - BEHIND_SECONDS);
  return lastLoginTime;
}

/** A minimal frpc with the plugin http_proxy. */
export class TestFrpc implements AsyncDisposable {
  readonly messages: FrpMessage[] = [];
  /** What arrived on work connections, each chunk as it came. */
  readonly workChunks: string[] = [];
  readonly datagrams: FrpMessageOf<'UDPPacket'>[] = [];
  /** What it has learned of its work connections. */
  readonly starts: FrpMessageOf<'StartWorkConn'>[] = [];
  readonly mux: Mux;
  runId = '';
  readonly #options: TestFrpcOptions;
  readonly #socket: TLSSocket;
  readonly #control: MuxStream;
  #cipher: ControlCipher | undefined;
  #isClosed = false;
  #onChange: () => void = () => {};

  constructor(options: TestFrpcOptions) {
    this.#options = options;
    const raw = connectTcp({ port: options.port, host: '127.0.0.1', noDelay: true });
    raw.on('error', () => {});
    if (options.mark !== undefined) raw.write(options.mark);
    const servername = options.serverName === undefined ? {} : { servername: options.serverName };
    this.#socket = connectTls({ socket: raw, rejectUnauthorized: false, ...servername });
    this.mux = connectMux(this.#socket, {
      role: 'client',
      monotonicMs: () => performance.now(),
      onStream: () => ({ onData() {}, onEnd() {}, onReset() {}, onDrain() {} }),
      onClose: () => {
        this.#isClosed = true;
        this.#onChange();
      },
    });
    this.#control = this.mux.openStream({
      onData: (chunk) => this.#onControl(chunk),
      onEnd() {},
      onReset() {},
      onDrain() {},
    });
    this.#login();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a message on the encrypted control stream. */
  send<Type extends MessageType>(type: Type, fields: FrpFields<Type>): void {
    this.sendSealed(encodeFrpMessage(this.#wire, type, fields));
  }

  sendSealed(bytes: Buffer): void {
    if (this.#cipher !== undefined && this.#control.isWritable) this.#control.write(this.#cipher.seal(bytes));
  }

  /** Opens a work connection that names this run. */
  openWork(runId: string): MuxStream {
    const stream: MuxStream = this.mux.openStream(
      new FakePlugin(
        () => stream,
        { ...this.#options, wire: this.#wire, codecFor: (proxy) => this.#codecFor(proxy) },
        this,
      ),
    );
    const message = encodeFrpMessage(this.#wire, 'NewWorkConn', { run_id: runId });
    stream.write(this.#wire === 'v2' ? Buffer.concat([V2_MAGIC, message]) : message);
    return stream;
  }

  async waitFor<Type extends MessageType>(
    type: Type,
    accept: (message: FrpMessageOf<Type>) => boolean = () => true,
  ): Promise<FrpMessageOf<Type>> {
    for (;;) {
      const found = this.messages.find(
        (message): message is FrpMessageOf<Type> => message.type === type && accept(message as FrpMessageOf<Type>),
      );
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`closed while waiting for ${type}: ${JSON.stringify(this.messages)}`);
      await this.changed();
    }
  }

  async waitClosed(): Promise<void> {
    while (!this.#isClosed) await this.changed();
  }

  changed(): Promise<void> {
    return new Promise((resolve) => (this.#onChange = resolve));
  }

  noteChange(): void {
    this.#onChange();
  }

  /** Like a machine that lost its network: the connection stays open, but nothing is read or sent. */
  freeze(): void {
    this.#socket.pause();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    return Promise.resolve();
  }

  #codecFor(name: string): WorkCodec | undefined {
    const proxy = this.#options.proxies?.find(({ proxy_name: given }) => given === name);
    const { use_encryption: isEncrypted = false, use_compression: isCompressed = false } = proxy ?? {};
    const { token } = this.#options;
    return isEncrypted || isCompressed ? new WorkCodec({ token, isEncrypted, isCompressed }) : undefined;
  }

  get #wire(): Wire {
    return this.#options.wire ?? 'v1';
  }

  #login(): void {
    const { user, token, runId, timestamp = nextLoginTime(), hostName = '' } = this.#options;
    const login = encodeFrpMessage(this.#wire, 'Login', {
      version: '0.61.0',
      os: 'linux',
      arch: 'mips',
      hostname: hostName,
      user,
      privilege_key: loginKey(token, timestamp),
      timestamp,
      ...(runId !== undefined && { run_id: runId }),
    });
    if (this.#wire === 'v1') this.#control.write(login);
    else {
      const hello = encodeV2Frame(v2FrameType.clientHello, Buffer.from(CLIENT_HELLO));
      this.#control.write(Buffer.concat([V2_MAGIC, hello, login]));
    }
  }

  #clear = Buffer.alloc(0);
  #decoder: FrpMessageDecoder | undefined;

  #onControl(chunk: Buffer): void {
    this.#control.consumed(chunk.length);
    if (this.#decoder !== undefined && this.#options.isDeaf === true) return;
    if (this.#decoder !== undefined && this.#cipher !== undefined)
      return this.#onMessages(this.#decoder.push(this.#cipher.open(chunk)));
    this.#clear = Buffer.concat([this.#clear, chunk]);
    const answer = readLoginAnswer(this.#wire, this.#clear);
    if (answer === undefined) return;
    const token = this.#options.cipherToken ?? this.#options.token;
    const transcript = transcriptHash(Buffer.from(CLIENT_HELLO), answer.serverHello);
    this.#cipher = this.#wire === 'v1' ? new CfbCipher(token) : new AeadCipher(token, transcript, 'client');
    this.#decoder = new FrpMessageDecoder(this.#wire);
    this.#onMessages([answer.message]);
    if (answer.rest.length > 0 && this.#options.isDeaf !== true)
      this.#onMessages(this.#decoder.push(this.#cipher.open(answer.rest)));
  }

  #onMessages(messages: FrpMessage[]): void {
    for (const message of messages) {
      this.messages.push(message);
      if (message.type === 'LoginResp' && message.error === '') {
        this.runId = message.run_id;
        for (const proxy of this.#options.proxies ?? lanProxy(this.#options.user)) this.send('NewProxy', proxy);
      } else if (message.type === 'ReqWorkConn' && this.#options.opensWork !== false) this.openWork(this.runId);
    }
    this.#onChange();
  }
}

export function lanProxy(user: string): FrpFields<'NewProxy'>[] {
  return [{ proxy_name: `${user}.lan`, proxy_type: 'tcp' }];
}

function readLoginAnswer(
  wire: Wire,
  bytes: Buffer,
): { message: FrpMessage; serverHello: Buffer; rest: Buffer } | undefined {
  let at = 0;
  let serverHello: Buffer = Buffer.alloc(0);
  if (wire === 'v2') {
    if (bytes.length < 8) return undefined;
    at = 8 + bytes.readUInt32BE(4);
    serverHello = bytes.subarray(8, at);
  }
  const [head, lengthAt] = wire === 'v2' ? [8, 4] : [9, 5];
  if (bytes.length < at + head) return undefined;
  const end = at + head + bytes.readUInt32BE(at + lengthAt);
  if (bytes.length < end) return undefined;
  const [message] = new FrpMessageDecoder(wire).push(bytes.subarray(at, end));
  return message && { message, serverHello, rest: bytes.subarray(end) };
}
