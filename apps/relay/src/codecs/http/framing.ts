import { type Field } from './fields.ts';
import { HttpRefusal } from './http-refusal.ts';

/** How the end of a body is found. */
export type BodyFraming =
  | { type: 'none' }
  | { type: 'length'; length: number }
  | { type: 'chunked' }
  | { type: 'until-close' };

export const NO_BODY: BodyFraming = { type: 'none' };
const CHUNKED: BodyFraming = { type: 'chunked' };

export function isBodyless(framing: BodyFraming): boolean {
  return framing.type === 'none' || (framing.type === 'length' && framing.length === 0);
}

/** As many digits as 2^53 - 1 has, the largest exact integer. */
const LENGTH = /^[0-9]{1,16}$/;

/** The framing that fields declare; undefined when they declare none. Throws HttpRefusal on any doubt about where a body ends. */
export function declaredFraming(fields: readonly Field[], version: 10 | 11): BodyFraming | undefined {
  let length: string | undefined;
  let coding: string | undefined;
  for (const { key, value } of fields) {
    if (key === 'content-length') {
      if (length !== undefined) throw new HttpRefusal('more than one Content-Length');
      length = value;
    } else if (key === 'transfer-encoding') {
      if (coding !== undefined) throw new HttpRefusal('more than one Transfer-Encoding');
      coding = value;
    }
  }
  if (coding !== undefined) {
    if (length !== undefined) throw new HttpRefusal('both Content-Length and Transfer-Encoding');
    if (version === 10) throw new HttpRefusal('Transfer-Encoding in HTTP/1.0');
    if (coding.toLowerCase() !== 'chunked') throw new HttpRefusal('unknown transfer coding', 501);
    return CHUNKED;
  }
  if (length === undefined) return undefined;
  const bytes = Number(length);
  if (!LENGTH.test(length) || !Number.isSafeInteger(bytes)) throw new HttpRefusal('malformed Content-Length');
  return { type: 'length', length: bytes };
}
