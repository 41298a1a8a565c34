import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer } from 'dns-packet';

export type FakeDnsServer = AsyncDisposable & {
  /** `address:port` in the form of node:dns. */
  server: string;
  /** The names of all queries. */
  queries: string[];
};

/** Starts a name server with these TXT records and no other names. It splits each record into several strings. */
export async function openFakeDnsServer(records: Map<string, string[]>): Promise<FakeDnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (bytes, from) => {
    const query = decode(bytes);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    queries.push(question.name);
    const texts = question.type === 'TXT' ? records.get(question.name.toLowerCase()) : undefined;
    const answers = (texts ?? []).map((text): Answer => ({
      type: 'TXT',
      name: question.name,
      ttl: 0,
      data: text.match(/.{1,20}/g) ?? [],
    }));
    const NXDOMAIN = 3;
    const flags = texts ? 0 : NXDOMAIN;
    socket.send(encode({ type: 'response', id: query.id ?? 0, flags, questions: [question], answers }), from.port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
