import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type SmsRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
export type SmsResponse = { status: number; body: string };

/** A message that the provider accepted. */
export type AcceptedSms = { phone: string; signName: string; template: string; parameters: string };

export type FakeSmsProvider = AsyncDisposable & {
  endpoint: string;
  accepted: AcceptedSms[];
  /** The provider refuses all further messages with this code; undefined makes it accept them again. */
  refuseWith(code: string | undefined): void;
};

/** An HTTP server on this machine in place of an SMS provider. `respond` implements the provider's API. */
export async function startFakeSmsProvider(
  respond: (request: SmsRequest, state: { accepted: AcceptedSms[]; refusal: string | undefined }) => SmsResponse,
): Promise<FakeSmsProvider> {
  const state: { accepted: AcceptedSms[]; refusal: string | undefined } = { accepted: [], refusal: undefined };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const reply = respond({ method: request.method ?? '', url, headers: request.headers, body }, state);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a string only for Unix sockets
    accepted: state.accepted,
    refuseWith(code) {
      state.refusal = code;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
