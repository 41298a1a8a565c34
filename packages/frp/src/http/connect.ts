/** What the relay says to frpc's plugin `http_proxy` on a work connection, and how it reads the answer. */
import { FrpError } from '../frp-error.ts';

export type ProxyTarget = { host: string; port: number };
export type ConnectReply = { status: number; rest: Buffer };
export type DialFailure = 'refused' | 'unreachable' | 'timeout' | 'notFound';

const MAX_HEAD_BYTES = 8_192;
/** Go's errors are a line. */
const MAX_REASON_BYTES = 16_384;
const HEAD_END = Buffer.from('\r\n\r\n');

export function connectRequest(target: ProxyTarget): Buffer {
  const address = addressOf(target);
  return Buffer.from(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n\r\n`, 'latin1');
}

/** The same target in absolute form: where the plugin cannot reach it, its answer says why. */
export function reasonRequest(target: ProxyTarget): Buffer {
  const address = addressOf(target);
  return Buffer.from(`GET http://${address}/ HTTP/1.1\r\nHost: ${address}\r\nConnection: close\r\n\r\n`, 'latin1');
}

function addressOf({ host, port }: ProxyTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Reads the answer to CONNECT, cut anywhere. */
export class ConnectReplyReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Undefined until its head is complete. Throws FrpError. */
  push(chunk: Buffer): ConnectReply | undefined {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const end = this.#pending.indexOf(HEAD_END);
    if (end < 0 && this.#pending.length <= MAX_HEAD_BYTES) return undefined;
    const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(this.#pending.toString('latin1', 0, MAX_HEAD_BYTES))?.[1];
    if (end < 0 || status === undefined) throw new FrpError('no answer of an HTTP proxy');
    return { status: Number(status), rest: this.#pending.subarray(end + HEAD_END.length) };
  }
}

/** Collects the answer to `reasonRequest`. */
export class ReasonReader {
  #text = '';

  /** Undefined until the reason is known. */
  push(chunk: Buffer): DialFailure | undefined {
    if (this.#text.length < MAX_REASON_BYTES) this.#text += chunk.toString('latin1');
    return dialFailureOf(this.#text);
  }
}

const reasons: readonly (readonly [RegExp, DialFailure])[] = [
  [/no such host|server misbehaving|lookup [^:]*: /i, 'notFound'],
  [/no route to host|(network|host) is (unreachable|down)/i, 'unreachable'],
  [/connection refused|actively refused/i, 'refused'],
  [/i\/o timeout|deadline exceeded|timed out|connection attempt failed/i, 'timeout'],
];

/** Reads the text of an error of Go. */
export function dialFailureOf(text: string): DialFailure | undefined {
  return reasons.find(([pattern]) => pattern.test(text))?.[1];
}
