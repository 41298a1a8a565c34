export type MessagePart =
  | { type: 'head'; line: string; fields: [name: string, value: string][]; isLast: boolean }
  | { type: 'payload'; text: string }
  | { type: 'end'; trailers: [name: string, value: string][] };

type Framing = 'none' | 'chunked' | 'until-close' | number;

const EMPTY_LINE = '\r\n\r\n';

/**
 * Parses well-formed HTTP/1.1 messages of tests, with complete heads and chunks, to send the same over HTTP/2.
 */
export class MessageText {
  readonly #kind: 'request' | 'answer';
  #framing: Framing | 'head' = 'head';
  #isAnswerToHead = false;

  constructor(kind: 'request' | 'answer') {
    this.#kind = kind;
  }

  /** The next answer is one to HEAD. */
  expectAnswerTo(method: string): void {
    this.#isAnswerToHead = method === 'HEAD';
  }

  parts(text: string): MessagePart[] {
    const parts: MessagePart[] = [];
    let rest = text;
    while (rest !== '') rest = this.#takePart(rest, parts);
    return parts;
  }

  /** Parses the beginning of the text and returns the rest. */
  #takePart(text: string, parts: MessagePart[]): string {
    if (this.#framing === 'head') return this.#takeHead(text, parts);
    if (this.#framing === 'chunked') return this.#takeChunk(text, parts);
    if (this.#framing === 'none') throw new Error(`no body may follow: ${text}`);
    const length = this.#framing === 'until-close' ? text.length : Math.min(this.#framing, text.length);
    parts.push({ type: 'payload', text: text.slice(0, length) });
    if (typeof this.#framing === 'number') this.#framing -= length;
    if (this.#framing === 0) this.#end(parts);
    return text.slice(length);
  }

  #takeHead(text: string, parts: MessagePart[]): string {
    const end = text.indexOf(EMPTY_LINE);
    if (end === -1) throw new Error(`half a head cannot be said over HTTP/2: ${text}`);
    const [line = '', ...lines] = text.slice(0, end).split('\r\n');
    const fields = lines.map(fieldOf);
    const isInterim = this.#kind === 'answer' && / 1[0-9]{2} /.test(line);
    const framing = isInterim ? 'head' : this.#framingOf(line, fields);
    parts.push({ type: 'head', line, fields, isLast: framing === 'none' || framing === 0 });
    this.#framing = framing;
    if (framing === 'none' || framing === 0) this.#end(parts);
    return text.slice(end + EMPTY_LINE.length);
  }

  #framingOf(line: string, fields: [string, string][]): Framing {
    if (this.#kind === 'answer' && (this.#isAnswerToHead || / (?:204|304) /.test(line))) return 'none';
    const value = (key: string) => fields.find(([name]) => name.toLowerCase() === key)?.[1];
    if (value('transfer-encoding') !== undefined) return 'chunked';
    const length = value('content-length');
    if (length !== undefined) return Number(length);
    return this.#kind === 'request' ? 'none' : 'until-close';
  }

  #takeChunk(text: string, parts: MessagePart[]): string {
    const size = Number.parseInt(text, 16);
    const begin = text.indexOf('\r\n') + 2;
    if (size === 0) {
      const end = text.indexOf(EMPTY_LINE) + EMPTY_LINE.length;
      const lines = text.slice(begin, end).split('\r\n').filter(Boolean);
      this.#end(parts, lines.map(fieldOf));
      return text.slice(end);
    }
    parts.push({ type: 'payload', text: text.slice(begin, begin + size) });
    return text.slice(begin + size + 2);
  }

  #end(parts: MessagePart[], trailers: [string, string][] = []): void {
    this.#framing = 'head';
    parts.push({ type: 'end', trailers });
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
