import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { WebSocket } from 'ws';

/** The public address of a mapping: how a browser shows it, and where this machine reaches it. */
export type PublicAddress = { scheme: 'http' | 'https'; authority: string; port: number };
export type Reply = { status: number; headers: http.IncomingHttpHeaders; text: string };
export type Sent = { headers?: Record<string, string>; body?: string | Buffer };

const TIMEOUT_MS = 20_000;

/** The body of a form, and its type. */
export function form(fields: Record<string, string>): { headers: Record<string, string>; body: string } {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(fields).toString() };
}

/** What a browser of a visitor does: it names its origin, and stores the cookies that it may. */
export class Visitor {
  readonly origin: string;
  readonly #address: PublicAddress;
  readonly #cookies = new Map<string, string>();

  constructor(address: PublicAddress) {
    this.#address = address;
    this.origin = `${address.scheme}://${address.authority}`;
  }

  async send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Reply> {
    const { port, scheme } = this.#address;
    const payload = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      ...this.#connection(),
      port,
      path,
      method,
      agent: false as const,
      headers: { ...this.#headers(), origin: this.origin, referer: `${this.origin}/`, ...payload, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    const outgoing = scheme === 'https' ? https.request(options) : http.request(options);
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
    for (const cookie of incoming.headers['set-cookie'] ?? []) this.#store(cookie);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() };
  }

  /** The same, where another status is an error. */
  async get(status: number, method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const reply = await this.send(method, path, sent);
    if (reply.status !== status)
      throw new Error(`${method} ${path}: ${reply.status} instead of ${status}, ${reply.text.slice(0, 200)}`);
    return reply;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** The path of an address that this visitor can reach; any other is an error. */
  pathOf(location: string | undefined): string {
    const url = new URL(location ?? '', `${this.origin}/`);
    if (location === undefined || url.origin !== this.origin) throw new Error(`a visitor cannot reach ${location}`);
    return url.pathname + url.search;
  }

  /** The first message of a WebSocket. */
  async firstMessage(path: string, protocols: string[] = []): Promise<string> {
    const { scheme, port } = this.#address;
    const socket = new WebSocket(`${scheme === 'https' ? 'wss' : 'ws'}://127.0.0.1:${port}${path}`, protocols, {
      ...this.#connection(),
      headers: this.#headers(),
      origin: this.origin,
    });
    try {
      return await new Promise((resolve, reject) => {
        socket.once('unexpected-response', (_request, { statusCode }) =>
          reject(new Error(`WebSocket ${path}: ${statusCode} instead of 101`)),
        );
        socket.once('error', reject);
        socket.once('close', (code) => reject(new Error(`the WebSocket was closed with ${code}`)));
        socket.once('message', (message: Buffer) => resolve(message.toString()));
      });
    } finally {
      socket.removeAllListeners().on('error', () => {});
      socket.terminate();
    }
  }

  #connection() {
    const [servername = ''] = this.#address.authority.split(':');
    return { host: '127.0.0.1', rejectUnauthorized: false, servername };
  }

  #headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { host: this.#address.authority, 'user-agent': 'Mozilla/5.0', ...(cookie === '' ? {} : { cookie }) };
  }

  #store(field: string): void {
    const [pair = ''] = field.split(';');
    const [name = '', ...value] = pair.split('=');
    this.#cookies.set(name, value.join('='));
  }
}
