import { connect, type Socket } from 'node:net';
import { FrpMessageDecoder, type FrpMessageOf, type Wire } from '@tongtu/frp';
import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';

export type FakePluginOptions = {
  wire: Wire;
  /** Answers a request in place of dialling; undefined: dials. `silent`: never answers. */
  onRequest?: (line: string) => { answer: string } | 'silent' | undefined;
};

/** Where the plugin records what it gets. */
export type FakePluginLog = {
  readonly workChunks: string[];
  readonly datagrams: FrpMessageOf<'UDPPacket'>[];
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
  #target: Socket | undefined;

  constructor(stream: () => MuxStream, options: FakePluginOptions, frpc: FakePluginLog) {
    this.#stream = stream;
    this.#options = options;
    this.#frpc = frpc;
  }

  onData(chunk: Buffer): void {
    this.#stream().consumed(chunk.length);
    this.#frpc.workChunks.push(chunk.toString('latin1'));
    this.#frpc.noteChange();
    if (this.#target !== undefined) return void this.#target.write(chunk);
    this.#pending = Buffer.concat([this.#pending, chunk]);
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
    if (start?.type === 'StartWorkConn' && start.proxy_name.endsWith('.wake'))
      this.#udp = new FrpMessageDecoder(this.#options.wire);
  }

  #readRequest(): void {
    if (this.#udp !== undefined) return this.#readDatagrams(this.#udp);
    const end = this.#pending.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [line = ''] = this.#pending.toString('latin1', 0, end).split('\r\n');
    const rest = this.#pending.subarray(end + 4);
    const answer = this.#options.onRequest?.(line);
    if (answer === 'silent') return;
    if (answer !== undefined) {
      this.#stream().write(Buffer.from(answer.answer, 'latin1'));
      return this.#stream().end();
    }
    const [, host = '', port = ''] = /^CONNECT \[?([^\]\s]+)\]?:(\d+) /.exec(line) ?? [];
    this.#dial(host, Number(port), rest);
  }

  #readDatagrams(decoder: FrpMessageDecoder): void {
    for (const message of decoder.push(this.#pending))
      if (message.type === 'UDPPacket') this.#frpc.datagrams.push(message);
    this.#pending = Buffer.alloc(0);
    this.#frpc.noteChange();
  }

  #dial(host: string, port: number, rest: Buffer): void {
    const target = connect({ host, port, noDelay: true });
    this.#target = target;
    target.on('connect', () => {
      this.#stream().write(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
      if (rest.length > 0) target.write(rest);
    });
    target.on('data', (chunk: Buffer) => {
      if (this.#stream().isWritable && !this.#stream().write(chunk)) target.pause();
    });
    target.on('end', () => this.#stream().end());
    target.on('error', () => {
      if (this.#stream().isWritable) this.#stream().write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
      this.#stream().end();
    });
  }
}
