import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The result of one stream, once it is closed. */
export type Http2Answer = {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  interim: number[];
  trailers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** The error code of its reset; 0 when it ended properly. */
  code: number;
};

/** A browser-like visitor: one HTTP/2 connection over TLS, a stream for each request. */
export class Http2Client implements AsyncDisposable {
  readonly session: ClientHttp2Session;
  readonly #host: string;

  constructor(port: number, host: string, options: SecureClientSessionOptions = {}) {
    this.#host = host;
    this.session = connect(`https://127.0.0.1:${port}`, {
      servername: host,
      rejectUnauthorized: false,
      ...options,
      // No limits of the client's own, because the relay's limits are tested.
      maxSessionMemory: 1_000,
    });
    // An error of the session also ends its streams, where the tests see it.
    this.session.on('error', () => {});
  }

  /** Uses a connection that is already open. */
  static over(socket: Socket, host: string): Http2Client {
    const tls = { socket, servername: host, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    return new Http2Client(0, host, { createConnection: () => connectTls(tls) });
  }

  /** Begins a request whose body follows, or that has none. */
  open(headers: OutgoingHttpHeaders, options: { endStream?: boolean } = {}): ClientHttp2Stream {
    const stream = this.session.request({ ':authority': this.#host, ...headers }, options);
    stream.on('error', () => {});
    return stream;
  }

  /** A complete request; resolves when its stream is closed in any way. */
  async fetch(headers: OutgoingHttpHeaders | string, body?: Buffer | string): Promise<Http2Answer> {
    const fields = typeof headers === 'string' ? { ':path': headers } : headers;
    const stream = this.open(fields, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    return await answerOf(stream);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.session.destroyed) return;
    const closed = new Promise((resolve) => this.session.once('close', resolve));
    this.session.destroy();
    await closed;
  }
}

export async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  const answer: Http2Answer = { status: undefined, headers: {}, interim: [], trailers: {}, body: Buffer.of(), code: 0 };
  const parts: Buffer[] = [];
  stream.on('headers', (headers) => answer.interim.push(Number(headers[':status'])));
  stream.on('response', (headers) => {
    answer.status = headers[':status'];
    answer.headers = { ...headers };
  });
  stream.on('trailers', (trailers) => (answer.trailers = { ...trailers }));
  stream.on('data', (part: Buffer) => parts.push(part));
  if (!stream.destroyed) await new Promise((resolve) => stream.once('close', resolve));
  answer.body = Buffer.concat(parts);
  answer.code = stream.rstCode;
  return answer;
}
