import http from 'node:http';

export type HttpRequest = {
  port: number;
  path: string;
  method?: string;
  /** The Host header; the connection always goes to this machine. */
  host?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: Buffer | string;
};
export type HttpReply = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

const TIMEOUT_MS = 20_000;

/** One request over a new connection, to any host name without DNS. */
export function request(options: HttpRequest): Promise<HttpReply> {
  const { port, path, method = 'GET', host = `localhost:${port}`, body } = options;
  const payload = typeof body === 'string' ? Buffer.from(body) : body;
  const headers = { host, ...(payload ? { 'content-length': payload.length } : {}), ...options.headers };
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.setTimeout(TIMEOUT_MS, () =>
      outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS} ms: ${method} ${path}`)),
    );
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}
