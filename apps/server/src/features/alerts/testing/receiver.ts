import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = { path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string };
type Reply = { status?: number; body?: string; headers?: Record<string, string>; isEndless?: boolean };

export type Receiver = AsyncDisposable & {
  origin: string;
  received: Received[];
  /** What is answered from now on; `undefined`: nothing at all. */
  answer: (message: Received) => Reply | undefined | Promise<Reply | undefined>;
};

/** Takes messages as a provider does, and keeps them. */
export async function startReceiver(answer: Receiver['answer'] = () => ({})): Promise<Receiver> {
  const server = createServer((req, res) => {
    const take = async (): Promise<void> => {
      const body = await text(req);
      const url = new URL(req.url ?? '/', 'http://receiver');
      const message = { path: url.pathname, query: url.searchParams, headers: req.headers, body };
      receiver.received.push(message);
      const reply = await receiver.answer(message);
      if (!reply) return;
      res.writeHead(reply.status ?? 200, reply.headers).write(reply.body ?? '');
      if (!reply.isEndless) res.end();
    };
    void take().catch(() => res.destroy()); // broken off, or the test does not know what to answer
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
