import { connect, type Socket } from 'node:net';
import { encodeFrpMessage, FrpMessageDecoder, type FrpMessageOf, type Wire, WorkCodec } from '@tongtu/frp';
import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';

export type FakePluginOptions = {
  wire: Wire;
  /** The local ports of proxies without the plugin, by their full names. */
  localPorts?: Record<string, number>;
  /** How the bytes behind StartWorkConn are encoded, by the full names of proxies; others: plain. */
  codecFor?: (proxy: string) => WorkCodec | undefined;
  /** Answers a request in place of dialling; undefined: dials. `silent`: never answers. */
  onRequest?: (line: string) => { answer: string } | 'silent' | undefined;
};

/** Where the plugin records what it gets. */
export type FakePluginLog = {
  readonly workChunks: string[];
  readonly datagrams: FrpMessageOf<'UDPPacket'>[];
  readonly starts: FrpMessageOf<'StartWorkConn'>[];
  noteChange(): void;
};

/** A work connection of the fake frpc: the plugin http_proxy, or the udp proxy. It ends both directions together. */
export class FakePlugin implements MuxStreamEvents {
  readonly #stream: () => MuxStream;
  readonly #options: FakePluginOptions;
  readonly #frpc: FakePluginLog;
  #pending: Buffer = Buffer.alloc(0);
  #isStarted = false;
  #udp: FrpMessageDecoder | undefined;
  #codec: WorkCodec | undefined;
  #target: Socket | undefined;
  #localPort: number | undefined;

  constructor(stream: () => MuxStream, options: FakePluginOptions, frpc: FakePluginLog) {
    this.#stream = stream;
    this.#options = options;
    this.#frpc = frpc;
  }

  onData(chunk: Buffer): void {
    this.#stream().consumed(chunk.length);
    this.#frpc.workChunks.push(chunk.toString('latin1'));
    this.#frpc.noteChange();
    const plain = this.#isStarted ? this.#decode(chunk) : chunk;
    if (this.#target !== undefined) return void this.#target.write(plain);
    this.#pending = Buffer.concat([this.#pending, plain]);
    if (!this.#isStarted) this.#readStart();
    if (this.#isStarted) this.#readRequest();
  }

  onEnd(): void {
    this.#target?.destroy();
    this.#stream().reset();
  }

  onReset(): void {
    this.#target?.destroy();
  }

  onDrain(): void {
    this.#target?.resume();
  }

  #readStart(): void {
    const [head, lengthAt] = this.#options.wire === 'v1' ? [9, 5] : [8, 4];
    if (this.#pending.length < head) return;
    const end = head + this.#pending.readUInt32BE(lengthAt);
    if (this.#pending.length < end) return;
    const [start] = new FrpMessageDecoder(this.#options.wire).push(this.#pending.subarray(0, end));
    this.#pending = this.#pending.subarray(end);
    this.#isStarted = true;
    if (start?.type !== 'StartWorkConn') return;
    const { proxy_name: name } = start;
    this.#frpc.starts.push(start);
    this.#codec = this.#options.codecFor?.(name);
    this.#pending = this.#decode(this.#pending);
    if (name.endsWith('.wake') || name.endsWith('.udp')) this.#udp = new FrpMessageDecoder(this.#options.wire);
    this.#localPort = this.#options.localPorts?.[name];
  }

  #decode(chunk: Buffer): Buffer {
    if (this.#codec === undefined) return chunk;
    this.#codec.push(chunk);
    const plain: Buffer[] = [];
    for (let next = this.#codec.next(); next !== undefined; next = this.#codec.next()) plain.push(next.plain);
    return Buffer.concat(plain);
  }

  #write(plain: Buffer): boolean {
    return this.#stream().write(this.#codec?.encode(plain) ?? plain);
  }

  #readRequest(): void {
    if (this.#udp !== undefined) return this.#readDatagrams(this.#udp);
    if (this.#localPort !== undefined) return this.#dialLocal(this.#localPort);
    const end = this.#pending.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [line = ''] = this.#pending.toString('latin1', 0, end).split('\r\n');
    const rest = this.#pending.subarray(end + 4);
    const answer = this.#options.onRequest?.(line);
    if (answer === 'silent') return;
    if (answer !== undefined) {
      this.#write(Buffer.from(answer.answer, 'latin1'));
      return this.#stream().end();
    }
    const [, host = '', port = ''] = /^CONNECT \[?([^\]\s]+)\]?:(\d+) /.exec(line) ?? [];
    this.#dial(host, Number(port), rest);
  }

  #readDatagrams(decoder: FrpMessageDecoder): void {
    for (const message of decoder.push(this.#pending)) {
      if (message.type !== 'UDPPacket') continue;
      this.#frpc.datagrams.push(message);
      // frpc answers with the address that names the conversation.
      const c = Buffer.from(`echo ${Buffer.from(message.c, 'base64').toString()}`).toString('base64');
      this.#write(encodeFrpMessage(this.#options.wire, 'UDPPacket', { c, l: null, r: message.r }));
    }
    this.#pending = Buffer.alloc(0);
    this.#frpc.noteChange();
  }

  #dial(host: string, port: number, rest: Buffer): void {
    const target = this.#connect(host, port, rest);
    target.on('connect', () => this.#write(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')));
    target.on('error', () => {
      if (this.#stream().isWritable) this.#write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
      this.#stream().end();
    });
  }

  /** As frpc without a plugin, which closes at once when it cannot connect. */
  #dialLocal(port: number): void {
    this.#connect('127.0.0.1', port, this.#pending).on('error', () => this.#stream().end());
    this.#pending = Buffer.alloc(0);
  }

  #connect(host: string, port: number, first: Buffer): Socket {
    const target = connect({ host, port, noDelay: true });
    this.#target = target;
    if (first.length > 0) target.write(first);
    target.on('data', (chunk: Buffer) => {
      if (this.#stream().isWritable && !this.#write(chunk)) target.pause();
    });
    target.on('end', () => this.#stream().end());
    return target;
  }
}
