import type { IncomingMessage, ServerResponse } from 'node:http';

export type FakeRequest = { method: string; url: URL; headers: IncomingMessage['headers']; body: Buffer };
export type FakeReply = {
  status: number;
  contentType: string;
  body: string | Buffer;
  headers?: Record<string, string>;
};

/** A notification as it is sent; a test can change it first. */
export type FakeNotification = { url: string; headers: Record<string, string>; rawBody: Buffer };

const MAX_REQUEST_BYTES = 1024 * 1024;

export async function readRequest(request: IncomingMessage, origin: string): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw new Error('too large a request');
    chunks.push(chunk);
  }
  const { method = 'GET', url = '/', headers } = request;
  return { method, url: new URL(url, origin), headers, body: Buffer.concat(chunks) };
}

export function sendReply(response: ServerResponse, { status, contentType, body, headers }: FakeReply): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers }).end(body);
}
