import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FakeDnsServer } from '../../../testing/fake-dns-server.ts';

export type ProviderRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
export type ProviderAnswer = { status: number; body: object };

export type FakeRecord = { id: number; zone: string; host: string; type: string; value: string };

/** The zones of one account at a DNS provider. The name server answers with their TXT records. */
export class FakeZones {
  readonly names: string[];
  readonly records: FakeRecord[] = [];
  readonly #dns: FakeDnsServer | undefined;
  #lastId = 100;

  constructor(names: string[], dns?: FakeDnsServer) {
    this.names = names;
    this.#dns = dns;
  }

  add(record: Omit<FakeRecord, 'id'>): FakeRecord {
    const added = { ...record, id: ++this.#lastId };
    this.records.push(added);
    this.#show(added);
    return added;
  }

  /** False when there is no such record. */
  remove(id: number): boolean {
    const index = this.records.findIndex((record) => record.id === id);
    const [removed] = index < 0 ? [] : this.records.splice(index, 1);
    if (removed) this.#show(removed);
    return removed !== undefined;
  }

  at(zone: string, host: string, type: string): FakeRecord[] {
    return this.records.filter((record) => record.zone === zone && record.host === host && record.type === type);
  }

  #show({ zone, host, type }: FakeRecord): void {
    if (type !== 'TXT') return;
    const values = this.at(zone, host, type).map((record) => record.value);
    this.#dns?.set('TXT', host === '' ? zone : `${host}.${zone}`, values);
  }
}

export type FakeDnsProvider = AsyncDisposable & { endpoint: string };

/** Starts a fake API of a DNS provider on this machine. `answer` computes its replies. */
export async function startFakeDnsProvider(
  answer: (request: ProviderRequest) => ProviderAnswer,
): Promise<FakeDnsProvider> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const reply = answer({ method: request.method ?? '', url, headers: request.headers, body });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
