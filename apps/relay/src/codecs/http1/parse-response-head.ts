import { connectionOptions, wantsKeepAlive } from './connection-options.ts';
import { parseFields } from '../http/fields.ts';
import { declaredFraming, isBodyless, NO_BODY, type BodyFraming } from '../http/framing.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { ResponseHead } from '../http/response-head.ts';
import { repairResponseHead } from './repair-response-head.ts';

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?\r\n/;
const MAX_OPTIONS = 100;
const UNTIL_CLOSE: BodyFraming = { type: 'until-close' };

/**
 * Reads the head of an answer to a request of that method, as AnswerHeadReader hands it out. An improper one is read as
 * browsers read it, and its connection is not reused. Throws HttpRefusal.
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  try {
    return parseProper(text, method);
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return { ...parseProper(repairResponseHead(text), method), keepsAlive: false, isRepaired: true };
  }
}

function parseProper(text: string, method: string): ResponseHead {
  const line = STATUS_LINE.exec(text);
  if (line === null) throw new HttpRefusal('malformed status line');
  const version = line[1] === '1' ? 11 : 10;
  const status = Number(line[2]);
  const fields = parseFields(text, line[0].length, { maxFields: Infinity });
  const options = connectionOptions(fields);
  // Every field is compared with every option.
  if (options.length > MAX_OPTIONS) throw new HttpRefusal('too many connection options');
  // Read even where no body may follow, so that an ambiguous head is refused whatever its status.
  const declared = declaredFraming(fields, version);
  // Some parsers wait for a body, because they do not know all interim statuses.
  if (status < 200 && declared !== undefined && !isBodyless(declared))
    throw new HttpRefusal('interim answer with a body');
  const framing = hasNoBody(status, method) ? NO_BODY : (declared ?? UNTIL_CLOSE);
  return {
    version,
    status,
    reason: line[3] ?? '',
    fields,
    options,
    framing,
    keepsAlive: framing.type !== 'until-close' && wantsKeepAlive(options, version),
    isRepaired: false,
  };
}

function hasNoBody(status: number, method: string): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304;
}
