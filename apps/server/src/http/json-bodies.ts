import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';

/** The longest answer of a captcha has 8 000: the points of a drag. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 20;

/** Bodies are JSON of a bounded number of values. Others are refused before they are parsed. */
export function useJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error'); // refuses __proto__ and constructor keys
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    const text = String(body); // as asked for by parseAs
    // A client may send the content type without a body, for example with DELETE. The schema decides whether one is needed.
    if (text === '') return done(null, undefined);
    if (!isWithinLimits(text)) return done(new AppError('request.too-large'));
    return parseJson(req, text, done);
  });
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a JSON text has few enough values, and is not nested too deeply. A million bytes can hold 200 000 keys, which
 * take a hundred times as long to parse, check and name in the answer as a long text does.
 */
function isWithinLimits(text: string): boolean {
  let values = 1;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === COMMA) values++;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values++;
      depth++;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
  }
  return true;
}
