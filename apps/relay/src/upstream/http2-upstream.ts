import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Route } from '@tongtu/contract';
import type { Grant } from '../access/judge-access.ts';
import { NO_PAYLOAD, NO_TRAILERS } from '../codecs/http/body-part.ts';
import type { Field } from '../codecs/http/fields.ts';
import { isBodyless } from '../codecs/http/framing.ts';
import { HttpRefusal } from '../codecs/http/http-refusal.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import type { BodyReader } from '../codecs/http1/body-reader.ts';
import { chunkedBytes } from '../codecs/http1/chunked-bytes.ts';
import { createBodyReader } from '../codecs/http1/create-body-reader.ts';
import { parseRequestHead } from '../codecs/http1/parse-request-head.ts';
import { parseStreamFields } from '../codecs/http2/stream-fields.ts';
import type { DeviceStream } from './device-stream.ts';
import { TargetDuplex } from './target-duplex.ts';
import type { TargetEvents } from './target-stream.ts';
import { noUpstreamEvents, type UpstreamEvents, type UpstreamFailure, type UpstreamStream } from './upstream-stream.ts';

const { NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;
const HEAD_END = Buffer.from('\r\n\r\n');
/** The receive window of the connection and of its one stream. */
const WINDOW_BYTES = 512 * 1024;
/** What may be delivered and not yet consumed; the rest waits in the window. */
const HIGH_WATER_BYTES = 256 * 1024;
/** How long connecting to the service and its first frame may take. */
const GREETING_MS = 20_000;
/** How long the service may take to close after the last answer. */
const CLOSE_MS = 1_000;
/** Fields that HTTP/2 does not have, or says by its own means. */
const NEVER_SENT = new Set(['host', 'connection', 'transfer-encoding']);

/** Fields that visitors repeat reach the service as they are. Node's types know the option for servers alone. */
const LENIENT = { strictSingleValueFields: false };

/**
 * One request over HTTP/2 to a service, on a LAN connection of its own: with prior knowledge, or chosen by ALPN over TLS.
 * Its user writes and reads HTTP/1.1, as on every other stream, with the trailers in chunked bodies.
 */
export class Http2Upstream implements UpstreamStream {
  events: UpstreamEvents = noUpstreamEvents;
  readonly isReused = false;
  readonly #device: DeviceStream;
  readonly #scheme: 'http' | 'https';
  readonly #session: ClientHttp2Session;
  readonly #greeting: NodeJS.Timeout;
  #body: BodyReader | undefined;
  #stream: ClientHttp2Stream | undefined;
  #unconsumedBytes = 0;
  #trailers: readonly Field[] | undefined;
  /** Bytes of any kind have come, and the settings of an HTTP/2 server. */
  #hasReceived = false;
  #hasGreeted = false;
  #hasAnswered = false;
  /** The end of the answer has been handed over. */
  #isWhole = false;
  #failure: UpstreamFailure | undefined;
  #isOver = false;

  constructor(device: DeviceStream, kind: Route['kind']) {
    this.#device = device;
    this.#scheme = kind === 'https' ? 'https' : 'http';
    const duplex = this.#duplex();
    this.#session = connect(`${this.#scheme}://localhost`, {
      createConnection: () => duplex,
      ...LENIENT,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    this.#session.on('connect', () => this.#session.setLocalWindowSize(WINDOW_BYTES));
    this.#session.on('remoteSettings', () => {
      this.#hasGreeted = true;
      clearTimeout(this.#greeting);
    });
    this.#session.on('error', () => {}); // always followed by 'close'
    this.#session.on('close', () => this.#fail());
    this.#greeting = setTimeout(() => {
      this.#failure = 'timeout';
      this.#fail();
    }, GREETING_MS);
  }

  get grant(): Grant | undefined {
    return this.#device.grant;
  }

  set grant(grant: Grant | undefined) {
    this.#device.grant = grant;
  }

  get isAway(): boolean {
    return this.#device.isAway;
  }

  get queuedBytes(): number {
    return (this.#stream?.writableLength ?? 0) + this.#device.queuedBytes;
  }

  /** The head comes in one piece. */
  write(chunk: Buffer): boolean {
    let from = 0;
    if (this.#body === undefined) {
      const end = chunk.indexOf(HEAD_END);
      from = end + HEAD_END.length;
      this.#body = this.#request(chunk.toString('latin1', 0, end + 2));
    }
    if (this.#body === undefined) return true;
    const stream = this.#stream;
    if (stream === undefined || !stream.writable) return true;
    const { payload, trailers } = this.#body.take(chunk, from);
    const isAccepted = payload.length === 0 || stream.write(payload);
    if (trailers !== undefined) stream.end();
    return isAccepted;
  }

  /** A request ends with its body. */
  end(): void {}

  reset(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#greeting);
    this.#session.destroy();
    this.#device.reset();
  }

  consumed(bytes: number): void {
    this.#unconsumedBytes -= bytes;
    if (this.#unconsumedBytes < HIGH_WATER_BYTES) this.#stream?.resume();
  }

  /** Ends the connection, so that the service sees no reset. It serves one request. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.grant = undefined;
    this.#session.close();
    const timer = setTimeout(() => this.#session.destroy(), CLOSE_MS);
    this.#session.once('close', () => {
      clearTimeout(timer);
      this.#device.reset();
    });
  }

  #duplex(): TargetDuplex {
    const open = (events: TargetEvents) => {
      this.#device.events = {
        onData: (chunk) => {
          this.#hasReceived = true;
          events.onData(chunk);
        },
        onEnd: events.onEnd,
        onDrain: events.onDrain,
        onFailed: (failure) => {
          // Of a connection that was there, the HTTP/2 session says more.
          if (failure !== 'lost') this.#failure = failure;
          events.onReset();
        },
      };
      return this.#device;
    };
    return new TargetDuplex(open, () => {});
  }

  #request(text: string): BodyReader | undefined {
    let head: RequestHead;
    try {
      // The relay has added fields to those of the visitor.
      head = parseRequestHead(text, { maxFields: Infinity });
    } catch {
      // Such as a Host that HTTP/2 does not allow. Its user still has to begin.
      queueMicrotask(() => this.#fail());
      return undefined;
    }
    const { method, target, hostField, fields, options, framing } = head;
    const raw = [':method', method, ':scheme', this.#scheme, ':authority', hostField, ':path', target];
    for (const { key, value } of fields) if (!NEVER_SENT.has(key) && !options.includes(key)) raw.push(key, value);
    raw.push('te', 'trailers');
    try {
      this.#stream = this.#listen(this.#session.request(raw, { endStream: isBodyless(framing) }));
    } catch {
      // What the library does not send, which should be nothing. Its user still has to begin.
      queueMicrotask(() => this.#fail());
    }
    return createBodyReader(framing);
  }

  #listen(stream: ClientHttp2Stream): ClientHttp2Stream {
    stream.on('response', (_headers, flags, answer) =>
      this.#guarded(() => this.#onResponse(stream, answer, (flags & NGHTTP2_FLAG_END_STREAM) !== 0)),
    );
    stream.on('trailers', (_headers, _flags, trailers) =>
      this.#guarded(() => (this.#trailers = parseStreamFields(trailers).fields)),
    );
    stream.on('drain', () => this.events.onDrain());
    stream.on('error', () => {}); // always followed by 'close'
    stream.on('close', () => {
      this.#onEnd(stream);
      this.#fail();
    });
    return stream;
  }

  #onResponse(stream: ClientHttp2Stream, raw: readonly string[], isWhole: boolean): void {
    const { pseudo, fields } = parseStreamFields(raw);
    const head = Buffer.from(`HTTP/1.1 ${pseudo.get('status')} \r\n${linesOf(fields)}\r\n`, 'latin1');
    this.#hasAnswered = true;
    if (!isWhole) {
      this.#deliver(head);
      // Only now: the library may report a head later than the body that follows it.
      stream.on('data', (payload: Buffer) => this.#deliver(chunkedBytes({ payload, trailers: undefined })));
      stream.on('end', () => this.#onEnd(stream));
      return;
    }
    // In one piece, so that the visitor's answer has no trailers either.
    this.#isWhole = true;
    this.#deliver(Buffer.concat([head, chunkedBytes({ payload: NO_PAYLOAD, trailers: NO_TRAILERS })]));
  }

  /** A stream that was reset ends, too. After trailers nothing of it is missing, unless bytes were held back. */
  #onEnd(stream: ClientHttp2Stream): void {
    if (!this.#hasAnswered || this.#isWhole) return;
    if (stream.rstCode !== NGHTTP2_NO_ERROR && (this.#trailers === undefined || stream.isPaused())) return;
    this.#isWhole = true;
    this.#deliver(chunkedBytes({ payload: NO_PAYLOAD, trailers: this.#trailers ?? NO_TRAILERS }));
  }

  #deliver(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#unconsumedBytes += bytes.length;
    if (this.#unconsumedBytes >= HIGH_WATER_BYTES) this.#stream?.pause();
    this.events.onData(bytes);
  }

  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error;
      this.#failure ??= 'lost';
      this.#fail();
    }
  }

  #fail(): void {
    if (this.#isOver) return;
    this.reset();
    this.events.onFailed(this.#failure ?? (this.#hasReceived && !this.#hasGreeted ? 'noHttp2' : 'lost'));
  }
}

/** Lines of HTTP/1.1. The length is left out: the body is chunked, because trailers may follow it. */
function linesOf(fields: readonly Field[]): string {
  const kept = fields.filter(({ key }) => key !== 'content-length');
  return `${kept.map(({ name, value }) => `${name}: ${value}\r\n`).join('')}Transfer-Encoding: chunked\r\n`;
}
