import { HttpRefusal } from './http-refusal.ts';

/** Of a request, and of trailers. The heads of answers are limited by their bytes alone. */
export const MAX_FIELDS = 200;
/** Of a request's head in any protocol, and of trailers. */
export const MAX_HEAD_BYTES = 32 * 1024;

/** A header or trailer field. `key` is the name in lower case; `value` has no blanks around it. Text is latin1. */
export type Field = { name: string; key: string; value: string };

const TAB = 0x09;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads field lines, each ended by CRLF, from `from` to the end of `text`. Throws HttpRefusal. */
export function parseFields(text: string, from: number, { maxFields = MAX_FIELDS } = {}): Field[] {
  const fields: Field[] = [];
  let at = from;
  while (at < text.length) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (end === -1 || colon === -1 || colon > end) throw new HttpRefusal('field without a colon');
    const name = text.slice(at, colon);
    // The token rule also catches folded lines (they begin with a blank) and blanks before the colon.
    if (!TOKEN.test(name)) throw new HttpRefusal('malformed field name');
    const value = trimBlanks(text, colon + 1, end);
    checkFieldValue(value);
    if (fields.length >= maxFields) throw new HttpRefusal('too many fields', 431);
    const key = name.toLowerCase();
    // RFC 9110 allows it, but some parsers do not know such a coding.
    if (text.charCodeAt(end - 1) === TAB && key === 'transfer-encoding') throw new HttpRefusal('tab behind a coding');
    fields.push({ name, key, value });
    at = end + 2;
  }
  return fields;
}

/** Throws HttpRefusal. */
export function checkFieldValue(value: string): void {
  if (!isFieldValue(value)) throw new HttpRefusal('malformed field value');
}

export function isFieldName(name: string): boolean {
  return TOKEN.test(name);
}

export function isFieldValue(value: string): boolean {
  return VALUE.test(value);
}

/** As lines of HTTP/1. */
export function fieldLines(fields: readonly Field[]): string {
  return fields.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
}

export function trimBlanks(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function isBlank(code: number): boolean {
  return code === 0x20 || code === TAB;
}

/** The elements of a comma-separated list in lower case, empty ones left out. */
export function listElements(value: string): string[] {
  const elements: string[] = [];
  for (const part of value.toLowerCase().split(',')) {
    const element = trimBlanks(part, 0, part.length);
    if (element !== '') elements.push(element);
  }
  return elements;
}

/** The first field of that name (in lower case). */
export function fieldValue(fields: readonly Field[], key: string): string | undefined {
  for (const field of fields) if (field.key === key) return field.value;
  return undefined;
}
