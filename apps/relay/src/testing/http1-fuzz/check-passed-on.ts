import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import type { BodyPart } from '../../codecs/http/body-part.ts';
import { HttpDate } from '../../codecs/http/http-date.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { ResponseHead } from '../../codecs/http/response-head.ts';
import { chunkedBytes } from '../../codecs/http1/chunked-bytes.ts';
import { writeRequestHead, writeResponseHead } from '../../codecs/http1/write-head.ts';
import { Disagreement, isSameList } from './compare.ts';
import { LlhttpReader, type LlhttpReading } from './llhttp-reading.ts';
import type { OurMessage } from './our-reading.ts';

const date = new HttpDate(() => 0);
const marks = { visitorCookies: visitorCookieNames, hopId: 'tongtu-0', date };
const rewrite = { marks, forwarded: 'X-Forwarded-For: 192.0.2.1\r\n', origins: undefined };
const rules = { reservedCookies: visitorCookieNames, origins: undefined };

/**
 * Checks that llhttp, in place of a service, reads the same single request from the forwarded bytes. Throws
 * Disagreement.
 */
export function checkRequestPassedOn({ head, parts, reading }: OurMessage<RequestHead>): void {
  const text = Buffer.from(writeRequestHead(head, rewrite), 'latin1');
  const sent = Buffer.concat([text, ...parts.map(head.framing.type === 'chunked' ? chunkedBytes : payloadOf)]);
  const got = readOne(sent, new LlhttpReader());
  const start = `${head.method} ${head.target} 11`;
  const isUpgrade = head.upgrade !== undefined;
  const isSame = got.start === start && got.body === reading.body && isSameList(got.trailers, reading.trailers);
  if (!isSame || got.isUpgrade !== isUpgrade || !got.keepsAlive)
    throw new Disagreement('a request is passed on as another one', sent, [reading, got]);
  // CGI and its successors do not distinguish `_` from `-`.
  const names = fieldNames(got).map((name) => name.replaceAll('_', '-'));
  const isSound =
    count(names, 'host') === 1 &&
    count(names, 'content-length') + count(names, 'transfer-encoding') === (head.framing.type === 'none' ? 0 : 1) &&
    count(names, 'x-forwarded-for') === 1 &&
    head.options.every((option) => isOurs(option) || count(names, option) === 0);
  if (!isSound) throw new Disagreement('a request is passed on with fields it must not have', sent, got);
}

/** Fields that the relay writes itself, even if the Connection field names them. */
function isOurs(option: string): boolean {
  return [
    'connection',
    'upgrade',
    'host',
    'content-length',
    'transfer-encoding',
    'x-forwarded-for',
    'cdn-loop',
  ].includes(option);
}

/**
 * Checks that llhttp, in place of a visitor, reads the same single answer from the forwarded bytes. Throws
 * Disagreement.
 */
export function checkAnswerPassedOn(
  { head, parts, reading }: OurMessage<ResponseHead>,
  { method, isUnchunked }: { method: string; isUnchunked: boolean },
): void {
  const takesOffChunks = isUnchunked && head.framing.type === 'chunked';
  const isUntilClose = takesOffChunks || head.framing.type === 'until-close';
  const connection = isUntilClose ? ('close' as const) : undefined;
  const text = writeResponseHead(head, { rules, isUnchunked: takesOffChunks, connection, date });
  const isChunked = head.framing.type === 'chunked' && !takesOffChunks;
  const passed = parts.map(isChunked ? chunkedBytes : payloadOf);
  const sent = Buffer.concat([Buffer.from(text, 'latin1'), ...passed]);
  const got = readOne(sent, new LlhttpReader(method), { isUntilClose });
  const trailers = takesOffChunks ? [] : reading.trailers;
  const start = `${head.status} ${head.reason} 11`;
  if (got.start !== start || got.body !== reading.body || !isSameList(got.trailers, trailers))
    throw new Disagreement('an answer is passed on as another one', sent, [reading, got]);
  const lengths = fieldNames(got).filter((name) => name === 'content-length' || name === 'transfer-encoding');
  if (lengths.length > 1) throw new Disagreement('an answer is passed on with two lengths', sent, got);
}

function payloadOf({ payload }: BodyPart): Buffer {
  return payload;
}

function readOne(sent: Buffer, llhttp: LlhttpReader, { isUntilClose = false } = {}): LlhttpReading {
  llhttp.push(isUntilClose ? sent : sent.subarray(0, -1));
  if (llhttp.readings.length > 0) throw new Disagreement('a message that is passed on ends sooner', sent);
  if (isUntilClose) llhttp.finish();
  else llhttp.push(sent.subarray(-1));
  const [got] = llhttp.readings;
  if (got === undefined || llhttp.isInside || llhttp.error !== undefined)
    throw new Disagreement('a message that is passed on is not read', sent, llhttp.error?.message);
  return got;
}

function fieldNames({ fields }: LlhttpReading): string[] {
  return fields.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
}

function count(names: readonly string[], name: string): number {
  return names.filter((candidate) => candidate === name).length;
}
