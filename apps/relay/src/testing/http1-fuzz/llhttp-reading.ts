import type { Reading } from './reading.ts';

export type LlhttpReading = Omit<Reading, 'end'>;

type HeadersComplete = (
  this: LlhttpParser,
  major: number,
  minor: number,
  fields: string[] | undefined,
  method: number | undefined,
  url: string | undefined,
  status: number | undefined,
  reason: string | undefined,
  isUpgrade: boolean,
  keepsAlive: boolean,
) => 0 | 1 | 2;

type LlhttpParser = {
  initialize(type: number, resource: object, maxHeadBytes: number): void;
  /** The number of bytes read, or an error. */
  execute(bytes: Buffer): number | Error;
  finish(): Error | undefined;
  [event: number]: unknown;
};

type HttpCommon = {
  methods: readonly string[];
  HTTPParser: (new () => LlhttpParser) & Readonly<Record<ParserConstant, number>>;
};

type ParserConstant =
  | 'REQUEST'
  | 'RESPONSE'
  | 'kOnMessageBegin'
  | 'kOnHeaders'
  | 'kOnHeadersComplete'
  | 'kOnBody'
  | 'kOnMessageComplete';

// An internal module of Node, without types. The parts used here have been stable for years.
const { methods, HTTPParser } = process.getBuiltinModule('node:_http_common') as unknown as HttpCommon;

const QUERY_VERB = 46;
/** More than the relay's limit. */
const MAX_HEAD_BYTES = 1024 * 1024;

/** All readers share one parser, because initializing it is cheaper than creating one. */
const parser = new HTTPParser();

/**
 * Node's HTTP/1 parser, which is llhttp, without the rest of Node's HTTP. Only the reader that was created last can
 * read.
 */
export class LlhttpReader {
  readonly readings: LlhttpReading[] = [];
  /** Why it stopped reading. */
  error: Error | undefined;
  #begun = 0;
  #fields: string[] = [];
  #body = '';
  #head: Omit<LlhttpReading, 'body' | 'trailers'> | undefined;
  #url = '';

  /** `method`: reads answers to a request with this method. Absent: reads requests. */
  constructor(method?: string) {
    parser.initialize(method === undefined ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, MAX_HEAD_BYTES);
    parser[HTTPParser.kOnMessageBegin] = () => this.#begun++;
    parser[HTTPParser.kOnHeaders] = (fields: string[], url: string) => this.#onFields(fields, url);
    parser[HTTPParser.kOnBody] = (bytes: Buffer) => (this.#body += bytes.toString('latin1'));
    parser[HTTPParser.kOnMessageComplete] = () => this.#onComplete();
    const onHead: HeadersComplete = (major, minor, fields, verb, url, status, reason, isUpgrade, keepsAlive) => {
      const version = major * 10 + minor;
      const start =
        verb === undefined
          ? `${status} ${reason} ${version}`
          : `${methodOf(verb)} ${this.#url + (url ?? '')} ${version}`;
      this.#head = { start, fields: [...this.#fields, ...(fields ?? [])], isUpgrade, keepsAlive };
      this.#fields = [];
      this.#url = '';
      return method === 'HEAD' ? 1 : 0;
    };
    parser[HTTPParser.kOnHeadersComplete] = onHead;
  }

  /** Whether a message has begun and not ended. */
  get isInside(): boolean {
    return this.#begun > this.readings.length;
  }

  /** Continues after an upgrade as if there had been none. */
  push(bytes: Buffer): void {
    for (let from = 0; from < bytes.length && this.error === undefined;) {
      const result = parser.execute(bytes.subarray(from));
      if (typeof result !== 'number') this.error = result;
      else from += Math.max(result, 1);
    }
  }

  /** The peer has closed the connection. */
  finish(): void {
    this.error ??= parser.finish();
  }

  #onFields(fields: string[], url: string): void {
    this.#fields.push(...fields);
    this.#url += url;
  }

  #onComplete(): void {
    if (this.#head === undefined) throw new Error('llhttp ended a message without a head');
    this.readings.push({ ...this.#head, body: this.#body, trailers: this.#fields });
    this.#body = '';
    this.#fields = [];
    this.#url = ''; // llhttp reports it again with the trailers
  }
}

/** llhttp also numbers the methods of RTSP, which precede HTTP's latest method and are not in the list. */
function methodOf(verb: number): string | undefined {
  return verb === QUERY_VERB ? 'QUERY' : methods[verb];
}
