import { cookieName, hostOnlyCookie, withoutCookie } from './cookies.ts';
import type { Field } from './fields.ts';
import { hopLine } from './hop.ts';
import type { RequestHead } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Fields of one connection only (RFC 9110 §7.6.1), and those that are written anew from what was understood. */
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
  'forwarded',
  'x-real-ip',
]);
const REWRITTEN_IN_RESPONSES = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'content-length',
  'transfer-encoding',
  'alt-svc',
]);

export type VisitorFacts = { address: string; scheme: 'http' | 'https' };

/** The relay's own: the name of the cookie that stays with it, and what it calls itself on the way. */
export type RelayMarks = { visitorCookie: string; hopId: string };

/** The head as the upstream gets it, in latin1. */
export function writeRequestHead(head: RequestHead, visitor: VisitorFacts, marks: RelayMarks): string {
  let text = `${head.method} ${head.target} HTTP/1.1\r\nHost: ${head.hostField}\r\n`;
  for (const { name, key, value } of head.fields) {
    if (isDroppedFromRequest(key, head)) continue;
    if (key === 'cookie') {
      const kept = withoutCookie(value, marks.visitorCookie);
      if (kept !== '') text += `${name}: ${kept}\r\n`;
    } else {
      text += `${name}: ${value}\r\n`;
    }
  }
  text += framingLines(head.framing) + hopLine(marks.hopId);
  text += `X-Forwarded-For: ${visitor.address}\r\nX-Forwarded-Proto: ${visitor.scheme}\r\nX-Forwarded-Host: ${head.hostField}\r\nX-Real-IP: ${visitor.address}\r\n`;
  if (head.upgrade !== undefined) return `${text}Connection: Upgrade\r\nUpgrade: ${head.upgrade}\r\n\r\n`;
  return `${text}Connection: keep-alive\r\n\r\n`;
}

function isDroppedFromRequest(key: string, head: RequestHead): boolean {
  if (REWRITTEN.has(key) || key.startsWith('x-forwarded-')) return true;
  // HTTP/1.0 knows no interim answers, so nobody may be asked for one.
  if (key === 'expect' && head.version === 10) return true;
  // CGI and its heirs read `X_Forwarded_For` as if it were `X-Forwarded-For`.
  if (key.includes('_') && isDroppedFromRequest(key.replaceAll('_', '-'), head)) return true;
  return head.options.length > 0 && head.options.includes(key);
}

export type ResponseRewrite = {
  /** What the visitor is told about its connection; undefined says nothing (HTTP/1.1 keep-alive). */
  connection: 'close' | 'keep-alive' | undefined;
  /** The body's chunked coding is taken off on the way: the visitor speaks HTTP/1.0. */
  isUnchunked: boolean;
  /** Set for devices: their cookies stay on their own host, and this name is not theirs to set. */
  reservedCookie: string | undefined;
};

/** The head as the visitor gets it, in latin1. */
export function writeResponseHead(head: ResponseHead, rewrite: ResponseRewrite): string {
  let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`;
  const isSwitch = head.status === 101;
  for (const { name, key, value } of head.fields) {
    if (REWRITTEN_IN_RESPONSES.has(key)) {
      if (isKeptFraming(key, head, rewrite) || (isSwitch && key === 'upgrade')) text += `${name}: ${value}\r\n`;
    } else if (rewrite.reservedCookie !== undefined && clearsCookies(key, value)) {
      continue;
    } else if (key === 'set-cookie' && rewrite.reservedCookie !== undefined) {
      if (cookieName(value.split(';', 1)[0] ?? '') !== rewrite.reservedCookie)
        text += `${name}: ${hostOnlyCookie(value)}\r\n`;
    } else if (head.options.length === 0 || !head.options.includes(key)) {
      text += `${name}: ${value}\r\n`;
    }
  }
  if (isSwitch) return `${text}Connection: Upgrade\r\n\r\n`;
  if (rewrite.connection !== undefined) text += `Connection: ${rewrite.connection}\r\n`;
  return `${text}\r\n`;
}

/** Browsers clear the cookies of the whole registrable domain, so one device would log visitors out of all others. */
function clearsCookies(key: string, value: string): boolean {
  return key === 'clear-site-data' && /"(cookies|\*)"/i.test(value);
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

/** The first field of that name (in lower case). */
export function fieldValue(fields: readonly Field[], key: string): string | undefined {
  for (const field of fields) if (field.key === key) return field.value;
  return undefined;
}
