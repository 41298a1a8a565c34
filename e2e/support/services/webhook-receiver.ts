import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../wait-for.ts';

export type ReceivedAlert = { event: string; text: string; device?: { uid: string; name: string } };

/** See docs/alerts.md. */
const signaturePattern = /^t=(\d+),v1=([0-9a-f]{64})$/;
const MAX_AGE_SECONDS = 300;

/** A webhook receiver of an owner. It accepts requests that are signed with the secret, and refuses others. */
export class WebhookReceiver implements AsyncDisposable {
  readonly secret: string;
  readonly received: ReceivedAlert[] = [];
  readonly #server = http.createServer((request, response) => {
    void this.#take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(), // cut, or not in the documented form
    );
  });

  private constructor(secret: string) {
    this.secret = secret;
  }

  static async start(secret: string): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(secret);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // listening on TCP: never a pipe name
    return `http://127.0.0.1:${port}/alerts`;
  }

  async waitForAlert(event: string, timeoutMs: number): Promise<ReceivedAlert> {
    return await waitFor(`an alert of ${event}`, timeoutMs, () => this.received.find((alert) => alert.event === event));
  }

  async #take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a request is read as bytes
    const body = Buffer.concat(chunks).toString();
    if (!this.#isSigned(String(request.headers['x-tongtu-signature']), body)) return 401;
    this.received.push(JSON.parse(body) as ReceivedAlert); // signed by who promises this form
    return 204;
  }

  #isSigned(header: string, body: string): boolean {
    const [, time = '', given = ''] = signaturePattern.exec(header) ?? [];
    if (Math.abs(Date.now() / 1000 - Number(time)) > MAX_AGE_SECONDS) return false;
    const expected = createHmac('sha256', this.secret).update(`${time}.${body}`).digest('hex');
    return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
