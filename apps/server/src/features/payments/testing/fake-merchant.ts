import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { NotificationReply, NotificationRequest } from '../index.ts';

export type FakeMerchant = AsyncDisposable & {
  url: string;
  /** The notifications, as they came. */
  received: NotificationRequest[];
  reply: NotificationReply;
};

/** A server that receives notifications and replies to all of them alike. */
export async function startFakeMerchant(): Promise<FakeMerchant> {
  const received: NotificationRequest[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void buffer(request).then((rawBody) => {
      received.push({ headers: request.headers, rawBody });
      const { status, contentType, body } = merchant.reply;
      response.writeHead(status, { 'content-type': contentType }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const merchant: FakeMerchant = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    received,
    reply: { status: 200, contentType: 'text/plain', body: 'success' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return merchant;
}
