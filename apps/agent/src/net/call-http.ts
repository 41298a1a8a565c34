import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isUnknownAuthority, readSystemCertificates } from './system-certificates.ts';

const MAX_REDIRECTS = 5;

export type HttpCall = {
  signal: AbortSignal;
  headers?: Record<string, string>;
  /** Sent by POST. */
  body?: string | undefined;
  /** An answer that leads elsewhere is the answer. */
  keepsRedirect?: boolean;
};

/** `url` is the one that answered. The body of `response` must be read or the response destroyed. */
export type HttpAnswer = { response: IncomingMessage; status: number; url: URL };

/**
 * One call over http or https that follows redirects. Rejects with the error of the socket. In place of `fetch`, whose
 * modules take 25 MB of memory for as long as the agent runs.
 */
export async function callHttp(url: URL, call: HttpCall): Promise<HttpAnswer> {
  let asked = { url, body: call.body };
  for (let redirects = 0; ; redirects++) {
    const hop = { ...call, body: asked.body };
    const response = await send(asked.url, hop).catch(async (error: unknown) => {
      // A certificate is refused before anything of the call is sent. The system's certificates take 2 MB of memory, so
      // they are read only when they are needed.
      if (isUnknownAuthority(error)) return await send(asked.url, hop, await readSystemCertificates());
      throw error;
    });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
    if (!isRedirect || call.keepsRedirect) return { response, status, url: asked.url };
    response.destroy();
    if (redirects === MAX_REDIRECTS) throw new Error('redirect count exceeded');
    // Node.js 20 has no URL.parse.
    const to = URL.canParse(location, asked.url.href) ? new URL(location, asked.url) : undefined;
    if (to === undefined || !/^https?:$/.test(to.protocol)) throw new Error('not-http');
    asked = { url: to, body: status >= 307 ? asked.body : undefined };
  }
}

/** `ca`: trusted in place of what Node.js trusts. */
async function send(url: URL, { signal, headers, body }: HttpCall, ca?: string[]): Promise<IncomingMessage> {
  const { request: open } = url.protocol === 'https:' ? https : http;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const method = body === undefined ? 'GET' : 'POST';
  const options = { method, signal, headers: { ...headers, ...length, connection: 'close' } };
  const request = open(url, ca === undefined ? options : { ...options, ca });
  // After the answer has begun, the reader of its body gets the error.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** The body of an answer. Throws Error `too-large`. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new Error('too-large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
