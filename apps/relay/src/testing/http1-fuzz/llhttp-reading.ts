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
  /** How many bytes were read, or why no more could be. */
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

// The module is Node's own, and has no types; what is used of it has been the same for years.
const { methods, HTTPParser } = process.getBuiltinModule('node:_http_common') as unknown as HttpCommon;

const QUERY_VERB = 46;
/** More than ours takes. */
const MAX_HEAD_BYTES = 1024 * 1024;

/** One is enough, as a new beginning costs less than a new parser. */
const parser = new HTTPParser();

/** Node's parser of HTTP/1, which is llhttp, without anything of Node around it. Only the newest of these readers reads. */
export class LlhttpReader {
  readonly readings: LlhttpReading[] = [];
  /** Why it reads no more. */
  error: Error | undefined;
  #begun = 0;
  #fields: string[] = [];
  #body = '';
  #head: Omit<LlhttpReading, 'body' | 'trailers'> | undefined;
  #url = '';

  /** `method`: of the request whose answer this is; without one requests are read. */
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

  /** Whether a message has begun whose end has not come. */
  get isInside(): boolean {
    return this.#begun > this.readings.length;
  }

  /** Goes on after an upgrade as if there had been none. */
  push(bytes: Buffer): void {
    for (let from = 0; from < bytes.length && this.error === undefined;) {
      const result = parser.execute(bytes.subarray(from));
      if (typeof result !== 'number') this.error = result;
      else from += Math.max(result, 1);
    }
  }

  /** The peer has closed. */
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
    this.#url = ''; // reported again with the trailers
  }
}

/** llhttp numbers the methods of RTSP too, which stand before the newest one of HTTP and are not in the list. */
function methodOf(verb: number): string | undefined {
  return verb === QUERY_VERB ? 'QUERY' : methods[verb];
}
