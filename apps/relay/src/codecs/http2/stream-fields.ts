import { HttpRefusal } from '../http/http-refusal.ts';
import { type CookieHead, readCookie, type SentCookie } from '../http/planted-cookies.ts';
import { checkFieldValue, type Field, MAX_FIELDS, MAX_HEAD_BYTES } from '../http/fields.ts';

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const BLANK_AT_AN_END = /^[\t ]|[\t ]$/;
/** Connection-specific fields of HTTP/1 (RFC 9113 §8.2.2). */
const CONNECTION_SPECIFIC = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);
/** As many bytes as a line of HTTP/1 has besides name and value. */
const LINE_BYTES = 4;

/** Pseudo-header fields by name, without the colon; the others in their order, with all Cookie fields joined into one. */
export type StreamFields = { pseudo: Map<string, string>; fields: Field[] };

/**
 * Reads the names and values of a HEADERS frame, in turns, by the rules that HTTP/1 heads are read by.
 * Throws HttpRefusal. The HTTP/2 library checks much of it, too, but the relay does not rely on that.
 */
export function parseStreamFields(raw: readonly string[]): StreamFields {
  const pseudo = new Map<string, string>();
  const fields: Field[] = [];
  let bytes = 0;
  let cookieBytes = 0;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!; // at is inside
    const value = raw[at + 1]!; // at + 1 too
    const lineBytes = name.length + value.length + LINE_BYTES;
    bytes += lineBytes;
    if (name === 'cookie') cookieBytes += lineBytes;
    if (bytes > MAX_HEAD_BYTES) {
      const cookies = cookieBytes > MAX_HEAD_BYTES / 2 ? cookieHeadOf(raw) : undefined;
      throw new HttpRefusal('head too long', name === ':path' ? 414 : 431, { cookies });
    }
    checkFieldValue(value);
    if (BLANK_AT_AN_END.test(value)) throw new HttpRefusal('blank around a field value');
    if (name.startsWith(':')) putPseudo(pseudo, fields, name.slice(1), value);
    else putField(fields, name, value);
    // All Cookie fields become one, so they count as one field.
    if (pseudo.size + fields.length > MAX_FIELDS) throw new HttpRefusal('too many fields', 431);
  }
  return { pseudo, fields };
}

function cookieHeadOf(raw: readonly string[]): CookieHead {
  const head: CookieHead & { cookies: SentCookie[] } = { hostField: '', target: '', cookies: [] };
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value = ''] = [raw[at], raw[at + 1]];
    if (name === ':authority') head.hostField = value;
    else if (name === ':path') head.target = value;
    else if (name === 'cookie') head.cookies.push(...value.split(';').flatMap((pair) => readCookie(pair) ?? []));
  }
  return head;
}

function putPseudo(pseudo: Map<string, string>, fields: readonly Field[], name: string, value: string): void {
  if (fields.length > 0) throw new HttpRefusal('pseudo-header field after others');
  if (pseudo.has(name)) throw new HttpRefusal(`more than one :${name}`);
  pseudo.set(name, value);
}

function putField(fields: Field[], name: string, value: string): void {
  if (!NAME.test(name)) throw new HttpRefusal('malformed field name');
  if (CONNECTION_SPECIFIC.has(name)) throw new HttpRefusal(`${name} in HTTP/2`);
  if (name === 'te' && value.toLowerCase() !== 'trailers') throw new HttpRefusal('transfer coding in HTTP/2');
  // RFC 9113 §8.2.3: Cookie may be split into several fields; HTTP/1 allows one.
  const cookie = name === 'cookie' ? fields.find((field) => field.key === 'cookie') : undefined;
  if (cookie !== undefined) cookie.value += `; ${value}`;
  else fields.push({ name, key: name, value });
}
