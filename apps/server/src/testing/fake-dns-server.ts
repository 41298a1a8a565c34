import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { decode, encode, type Answer } from 'dns-packet';

type RecordType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'TXT';

/** A TXT record may consist of several strings, which readers have to join. */
type RecordData = string | string[];

/** A name server with the records that a test sets. It acts as resolver and as authoritative server of every zone. */
export class FakeDnsServer implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #records = new Map<string, RecordData[]>();
  /** The queries received, as `TYPE name`. */
  readonly queries: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (bytes, from) => socket.send(this.#answer(bytes), from.port, from.address));
  }

  /** `port` 0 means any. */
  static async start(address = '127.0.0.1', port = 0): Promise<FakeDnsServer> {
    const socket = createSocket('udp4');
    socket.bind(port, address);
    await once(socket, 'listening');
    return new FakeDnsServer(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  set(type: RecordType, name: string, values: RecordData[]): void {
    this.#records.set(`${type} ${name}`, values);
  }

  add(type: RecordType, name: string, value: string): void {
    this.set(type, name, [...this.get(type, name), value]);
  }

  get(type: RecordType, name: string): RecordData[] {
    return this.#records.get(`${type} ${name}`) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(bytes: Buffer): Buffer {
    const query = decode(bytes);
    const question = query.questions?.[0];
    const name = question?.name.toLowerCase() ?? '';
    this.queries.push(`${question?.type} ${name}`);
    // An alias is answered with what it leads to, as resolvers do; other types have no records.
    const alias = question?.type === 'CNAME' ? undefined : this.get('CNAME', name)[0]?.toString();
    const values = this.get(question?.type as RecordType, alias ?? name);
    const isKnown = [...this.#records].some(([key, texts]) => key.endsWith(` ${name}`) && texts.length > 0);
    return encode({
      type: 'response',
      id: query.id ?? 0,
      // AA, RD, RA and the code: 3 says that there is no such name.
      flags: 0x0580 | (isKnown ? 0 : 3),
      questions: query.questions ?? [],
      answers: [
        ...(alias === undefined ? [] : [{ type: 'CNAME', name, ttl: 0, data: alias } as const]),
        ...values.map((data) => ({ type: question?.type, name: alias ?? name, ttl: 0, data }) as Answer), // as dns-packet wants it
      ],
    });
  }
}
