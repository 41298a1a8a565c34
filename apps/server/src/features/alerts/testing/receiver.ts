import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = { path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string };
type Reply = { status?: number; body?: string; headers?: Record<string, string>; isEndless?: boolean };

export type Receiver = AsyncDisposable & {
  origin: string;
  received: Received[];
  /** Replaceable: decides the response to a message; `undefined` means no response at all. */
  respond: (message: Received) => Reply | undefined | Promise<Reply | undefined>;
};

/** An HTTP server that records the messages it receives, in place of a provider. */
export async function startReceiver(respond: Receiver['respond'] = () => ({})): Promise<Receiver> {
  const server = createServer((req, res) => {
    const handle = async (): Promise<void> => {
      const body = await text(req);
      const url = new URL(req.url ?? '/', 'http://receiver');
      const message = { path: url.pathname, query: url.searchParams, headers: req.headers, body };
      receiver.received.push(message);
      const reply = await receiver.respond(message);
      if (!reply) return;
      res.writeHead(reply.status ?? 200, reply.headers).write(reply.body ?? '');
      if (!reply.isEndless) res.end();
    };
    void handle().catch(() => res.destroy()); // the sender disconnected, or `respond` threw
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
