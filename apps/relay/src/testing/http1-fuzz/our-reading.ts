import { AnswerHeadReader } from '../../codecs/http1/answer-head-reader.ts';
import type { BodyReader } from '../../codecs/http1/body-reader.ts';
import { createBodyReader } from '../../codecs/http1/create-body-reader.ts';
import type { BodyPart } from '../../codecs/http/body-part.ts';
import type { Field } from '../../codecs/http/fields.ts';
import type { BodyFraming } from '../../codecs/http/framing.ts';
import { HeadReader } from '../../codecs/http1/head-reader.ts';
import { HttpRefusal } from '../../codecs/http/http-refusal.ts';
import { isProperSwitch } from '../../codecs/http1/is-proper-switch.ts';
import { parseRequestHead } from '../../codecs/http1/parse-request-head.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import { parseResponseHead } from '../../codecs/http1/parse-response-head.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import type { Reading } from './reading.ts';

export type Head = RequestHead | ResponseHead;
/** `parts`: the body in the relay's representation. `isRepaired`: an answer that is improper and read as browsers do. */
export type OurMessage<H extends Head> = {
  head: H;
  parts: readonly BodyPart[];
  reading: Reading;
  isRepaired: boolean;
};

/** All complete requests that the relay would forward. */
export function readOurRequests(pieces: readonly Buffer[]): OurMessage<RequestHead>[] {
  return read(pieces, {
    headReader: new HeadReader(),
    repairs: false,
    parse: parseRequestHead,
    summarize: (head) => ({
      start: `${head.method} ${head.target} ${head.version}`,
      isUpgrade: head.upgrade !== undefined,
      keepsAlive: head.wantsKeepAlive,
      isRepaired: false,
    }),
  });
}

/** All complete answers to a request with that method that the relay would forward, with interim answers. */
export function readOurResponses(pieces: readonly Buffer[], method: string): OurMessage<ResponseHead>[] {
  return read(pieces, {
    headReader: new AnswerHeadReader(),
    repairs: true,
    parse: (text) => parseAnswer(text, method),
    summarize: (head) => ({
      start: `${head.status} ${head.reason} ${head.version}`,
      isUpgrade: head.status === 101,
      keepsAlive: head.keepsAlive,
      isRepaired: head.isRepaired,
    }),
  });
}

/** The upgrade that every request has asked for. */
const ASKED = 'websocket';

/** Accepts a 101 only for the requested upgrade, like the relay's exchange. */
function parseAnswer(text: string, method: string): ResponseHead {
  const head = parseResponseHead(text, method);
  if (head.status === 101 && !isProperSwitch(head, ASKED)) throw new HttpRefusal('101 without being asked');
  return head;
}

type Parser<H> = {
  headReader: Pick<HeadReader, 'push'>;
  repairs: boolean;
  parse: (text: string) => H;
  summarize: (head: H) => Pick<Reading, 'start' | 'isUpgrade' | 'keepsAlive'> & { isRepaired: boolean };
};

function read<H extends Head>(
  pieces: readonly Buffer[],
  { headReader, repairs, parse, summarize }: Parser<H>,
): OurMessage<H>[] {
  const messages: OurMessage<H>[] = [];
  let open: { head: H; body: Body } | undefined;
  let before = 0;
  const finish = (end: number): boolean => {
    const { head, body } = open!; // both callers have checked that there is one
    open = undefined;
    const { isRepaired: isHeadRepaired, ...summary } = summarize(head);
    const isRepaired = isHeadRepaired || body.isRepaired;
    const keepsAlive = summary.keepsAlive && !isRepaired;
    const { text, trailers, parts } = body;
    const reading = { ...summary, keepsAlive, fields: flat(head.fields), body: text, trailers, end };
    messages.push({ head, parts, reading, isRepaired });
    const isInterim = 'status' in head && head.status < 200 && head.status !== 101;
    return isInterim || messages.at(-1)?.reading.keepsAlive === true;
  };
  try {
    for (const piece of pieces) {
      let at = 0;
      while (at < piece.length) {
        if (open === undefined) {
          const head = headReader.push(piece, at);
          if (head === undefined) break;
          const parsed = parse(head.text);
          open = { head: parsed, body: new Body(parsed.framing, { repairs }) };
          at = head.end;
        } else at = open.body.take(piece, at);
        if (open.body.isDone && !finish(before + at)) return messages;
      }
      before += piece.length;
    }
    // The peer has closed the connection.
    if (open?.head.framing.type === 'until-close') finish(before);
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
  }
  return messages;
}

/** A body's payload, read by the relay's own reader. */
class Body {
  readonly #reader: BodyReader;
  readonly parts: BodyPart[] = [];
  text = '';

  constructor(framing: BodyFraming, { repairs }: { repairs: boolean }) {
    this.#reader = createBodyReader(framing, { repairs });
  }

  get isRepaired(): boolean {
    return this.#reader.isRepaired;
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  get trailers(): readonly string[] {
    return flat(this.parts.at(-1)?.trailers ?? []);
  }

  take(piece: Buffer, from: number): number {
    const part = this.#reader.take(piece, from);
    this.parts.push(part);
    this.text += part.payload.toString('latin1');
    return part.end;
  }
}

function flat(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => [name, value]);
}
