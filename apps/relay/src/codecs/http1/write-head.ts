import { withoutCookies } from '../http/cookies.ts';
import { hopLine } from '../http/hop.ts';
import type { HttpDate } from '../http/http-date.ts';
import { forwardsLeft } from '../http/max-forwards.ts';
import type { OriginRewrite } from '../http/origin-rewrite.ts';
import { isProxyClaim } from '../http/proxy-claims.ts';
import type { RequestHead } from '../http/request-head.ts';
import { addedStrictTransport, type AnswerRules, passedValue, STRICT_TRANSPORT } from '../http/response-fields.ts';
import type { ResponseHead } from '../http/response-head.ts';

/** Fields of one connection (RFC 9110 §7.6.1), and those that the relay writes itself. */
const REWRITTEN = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'upgrade',
  'http2-settings',
  'host',
  'content-length',
  'transfer-encoding',
]);

/** The relay's own: the names of its cookie, its hop id, and its clock. */
export type RelayMarks = { visitorCookies: readonly string[]; hopId: string; date: HttpDate };

export type RequestRewrite = {
  marks: RelayMarks;
  /** The lines that describe the visitor to the service; see ForwardedLines. */
  forwarded: string;
  /** Undefined: the service sees the public name as its Host. */
  origins: OriginRewrite | undefined;
};

/** The head as the upstream gets it, in latin1. */
export function writeRequestHead(head: RequestHead, { marks, forwarded, origins }: RequestRewrite): string {
  let text = `${head.method} ${head.target} HTTP/1.1\r\nHost: ${origins?.hostField ?? head.hostField}\r\n`;
  for (const { name, key, value } of head.fields) {
    if (isDroppedFromRequest(key, head)) continue;
    if (key === 'cookie') {
      const kept = withoutCookies(value, marks.visitorCookies);
      if (kept !== '') text += `${name}: ${kept}\r\n`;
    } else if (key === 'max-forwards') {
      const left = forwardsLeft(head);
      text += `${name}: ${left === undefined ? value : left - 1}\r\n`;
    } else {
      text += `${name}: ${origins === undefined ? value : origins.requestValue(key, value)}\r\n`;
    }
  }
  text += framingLines(head.framing) + hopLine(marks.hopId) + forwarded;
  if (head.upgrade !== undefined) return `${text}Connection: Upgrade\r\nUpgrade: ${head.upgrade}\r\n\r\n`;
  return `${text}Connection: keep-alive\r\n\r\n`;
}

function isDroppedFromRequest(key: string, head: RequestHead): boolean {
  if (REWRITTEN.has(key) || isProxyClaim(key)) return true;
  // HTTP/1.0 has no interim answers, so Expect is dropped.
  if (key === 'expect' && head.version === 10) return true;
  // CGI and its successors read `X_Forwarded_For` as `X-Forwarded-For`.
  if (key.includes('_') && isDroppedFromRequest(key.replaceAll('_', '-'), head)) return true;
  return head.options.length > 0 && head.options.includes(key);
}

export type ResponseRewrite = {
  rules: AnswerRules;
  /** The chunked coding of the body is decoded: the visitor speaks HTTP/1.0. */
  isUnchunked: boolean;
  /** The Connection field for the visitor; undefined: none (HTTP/1.1 keep-alive). */
  connection: 'close' | 'keep-alive' | undefined;
  date: HttpDate;
};

/** The head as the visitor gets it, in latin1. */
export function writeResponseHead(head: ResponseHead, rewrite: ResponseRewrite): string {
  let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`;
  // A 426 must name the protocol in Upgrade.
  const isAboutUpgrade = head.status === 101 || head.status === 426;
  let hasDate = false;
  for (const field of head.fields) {
    const { name, key } = field;
    const value = passedValue(field, head.options, rewrite.rules);
    if (value !== undefined) {
      text += `${name}: ${value}\r\n`;
      hasDate ||= key === 'date';
    } else if (isKeptFraming(key, head, rewrite) || (isAboutUpgrade && key === 'upgrade')) {
      text += `${name}: ${field.value}\r\n`;
    }
  }
  // RFC 9110 §6.6.1: a recipient with a clock adds a missing Date.
  if (!hasDate && head.status >= 200) text += `Date: ${rewrite.date.text}\r\n`;
  const strictTransport = addedStrictTransport(head, rewrite.rules);
  if (strictTransport !== undefined) text += `${STRICT_TRANSPORT}: ${strictTransport}\r\n`;
  return `${text}${connectionLine(head.status, rewrite.connection)}\r\n`;
}

function connectionLine(status: number, connection: ResponseRewrite['connection']): string {
  if (status === 101) return 'Connection: Upgrade\r\n';
  if (status === 426) return `Connection: ${connection === 'close' ? 'close, ' : ''}Upgrade\r\n`;
  return connection === undefined ? '' : `Connection: ${connection}\r\n`;
}

/** 1xx and 204 have no length to state; HEAD and 304 state the one that a GET would have had. */
function isKeptFraming(key: string, head: ResponseHead, rewrite: ResponseRewrite): boolean {
  if (head.status < 200 || head.status === 204) return false;
  return key === 'content-length' || (key === 'transfer-encoding' && !rewrite.isUnchunked);
}

function framingLines(framing: RequestHead['framing']): string {
  if (framing.type === 'length') return `Content-Length: ${framing.length}\r\n`;
  return framing.type === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : '';
}
