import type { OutgoingHttpHeaders } from 'node:http2';
import type { Field } from '../http/fields.ts';
import type { HttpDate } from '../http/http-date.ts';
import { addedStrictTransport, type AnswerRules, passedValue, STRICT_TRANSPORT } from '../http/response-fields.ts';
import type { ResponseHead } from '../http/response-head.ts';
import type { LocalResponse } from '../http/local-response.ts';

/** Fields of an HTTP/1 connection. The HTTP/2 library refuses to send them. */
const NEVER_IN_STREAMS = new Set(['te', 'http2-settings', 'keep-alive', 'proxy-connection']);

/** The head of a final answer: names and values alternately, which keeps the order and repeated fields. */
export function answerFields(head: ResponseHead, rules: AnswerRules, date: HttpDate): string[] {
  const fields = [':status', String(head.status)];
  let hasDate = false;
  for (const field of head.fields) {
    const { key } = field;
    if (NEVER_IN_STREAMS.has(key)) continue;
    const value = key === 'content-length' ? keptLength(head, field) : passedValue(field, head.options, rules);
    if (value === undefined) continue;
    fields.push(key, value);
    hasDate ||= key === 'date';
  }
  if (!hasDate) fields.push('date', date.text);
  const strictTransport = addedStrictTransport(head, rules);
  if (strictTransport !== undefined) fields.push(STRICT_TRANSPORT.toLowerCase(), strictTransport);
  return fields;
}

/** A 204 may state no length, and a 205 has no body. */
function keptLength({ status }: ResponseHead, { value }: Field): string | undefined {
  return status === 204 || status === 205 ? undefined : value;
}

export function interimFields(head: ResponseHead, rules: AnswerRules): OutgoingHttpHeaders {
  const fields = noFields();
  fields[':status'] = head.status;
  for (const field of head.fields) {
    const value = NEVER_IN_STREAMS.has(field.key) ? undefined : passedValue(field, head.options, rules);
    if (value !== undefined) addField(fields, field.key, value);
  }
  return fields;
}

export function trailerFields(trailers: readonly Field[]): OutgoingHttpHeaders {
  const fields = noFields();
  for (const { key, value } of trailers) if (!NEVER_IN_STREAMS.has(key)) addField(fields, key, value);
  return fields;
}

export function localResponseFields({ status, fields, body }: LocalResponse, date: HttpDate): string[] {
  const raw = [':status', String(status)];
  for (const [name, value] of fields) raw.push(name.toLowerCase(), value);
  raw.push('content-length', String(body.length), 'date', date.text);
  return raw;
}

/** Without a prototype: `constructor` is a field like any other. */
function noFields(): OutgoingHttpHeaders {
  return Object.create(null) as OutgoingHttpHeaders; // an object without a prototype and without fields
}

function addField(fields: OutgoingHttpHeaders, key: string, value: string): void {
  const before = fields[key];
  if (before === undefined) fields[key] = value;
  else fields[key] = Array.isArray(before) ? [...before, value] : [String(before), value];
}
