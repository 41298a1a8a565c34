import { z } from 'zod';
import type { Reader } from '../../parsing/parse-messages.ts';
import { TargetError } from '../../errors/target-error.ts';
import { DownloadError } from '../../errors/download-error.ts';
import type { AskedMethods, Method } from './methods.ts';
import { parseJsonOfBytes } from './parse-json-of-bytes.ts';
import { resultOf } from './results.ts';

/** 2000 downloads have about 1 MB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** A torrent of 20 000 files has about 400 000 values. A value takes up to 64 bytes, however short its text is. */
const MAX_VALUES = 600_000;
const MAX_DEPTH = 32;
const MAX_SAID_LENGTH = 300;

const RpcError = z.object({ code: z.number(), message: z.string() });
const Answer = z.union([z.object({ error: RpcError }), z.object({ result: z.unknown() })]);
const MulticallResult = z.array(z.union([z.tuple([z.unknown()]), RpcError]));

/** What aria2 has refused in the answer to several calls. */
type Refused = { refused: Pick<DownloadError, 'code' | 'said'> };
export type OneResult = { result: unknown } | Refused;

/** Reads the answer to one request. At the end it gives one result, or one for each call of several. */
export class AnswerReader implements Reader {
  readonly #asked: AskedMethods;
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;

  private constructor(asked: AskedMethods) {
    this.#asked = asked;
  }

  /** The options come from `postJson`. */
  static open(options: unknown): AnswerReader {
    return new AnswerReader(options as AskedMethods);
  }

  write(bytes: Uint8Array): null {
    const length = this.#length + bytes.length;
    if (length > MAX_ANSWER_BYTES) throw new DownloadError('too-much');
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(MAX_ANSWER_BYTES, Math.max(length, 2 * this.#bytes.length)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
    return null;
  }

  end(): OneResult | OneResult[] {
    const bytes = this.#bytes.subarray(0, this.#length);
    checkSize(bytes);
    const answer = parse(Answer, parseJson(bytes));
    if ('error' in answer) return { refused: errorOf(answer.error) };
    if ('method' in this.#asked) return { result: parse(resultOf[this.#asked.method], answer.result) };
    return severalOf(this.#asked.methods, answer.result);
  }
}

function severalOf(methods: readonly Method[], result: unknown): OneResult[] {
  const results = parse(MulticallResult, result);
  if (results.length !== methods.length) throw new TargetError('protocol');
  return results.map((each, index) => {
    const method = methods[index];
    if (!Array.isArray(each) || method === undefined) return { refused: errorOf(each as z.output<typeof RpcError>) };
    return { result: parse(resultOf[method], each[0]) };
  });
}

/** Before it is parsed: what short texts become in memory would fill it. */
function checkSize(bytes: Uint8Array): void {
  const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      values++;
      depth++;
      if (depth > MAX_DEPTH) throw new TargetError('protocol');
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === comma || byte === colon) values++;
    if (values > MAX_VALUES) throw new DownloadError('too-much');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parseJsonOfBytes(bytes);
  } catch (error) {
    throw new TargetError('protocol', { cause: error });
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, success, error } = schema.safeParse(value);
  if (!success) throw new TargetError('protocol', { cause: error });
  return data;
}

function errorOf({ message }: z.output<typeof RpcError>): Refused['refused'] {
  // The secret is the same for all calls, so none of them has succeeded.
  if (message === 'Unauthorized') throw new TargetError('login-failed');
  const said = message.slice(0, MAX_SAID_LENGTH);
  if (/^(GID \S+ is not found|No such download for GID#\S+|Active Download not found for GID#\S+)/.test(said))
    return { code: 'not-found', said };
  return { code: 'refused', said };
}
