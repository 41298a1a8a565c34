import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type SmsRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
export type SmsAnswer = { status: number; body: string };

/** What a provider was made to send: number, signature, template and its parameters. */
export type TakenSms = { phone: string; signName: string; template: string; parameters: string };

export type FakeSmsProvider = AsyncDisposable & {
  endpoint: string;
  taken: TakenSms[];
  /** What the provider's next answers say instead of taking the message. */
  refuseWith(code: string | undefined): void;
};

/** Starts a fake API of an SMS provider on this machine. `answer` computes its replies. */
export async function startFakeSmsProvider(
  answer: (request: SmsRequest, state: { taken: TakenSms[]; refusal: string | undefined }) => SmsAnswer,
): Promise<FakeSmsProvider> {
  const state: { taken: TakenSms[]; refusal: string | undefined } = { taken: [], refusal: undefined };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const reply = answer({ method: request.method ?? '', url, headers: request.headers, body }, state);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    taken: state.taken,
    refuseWith(code) {
      state.refusal = code;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
