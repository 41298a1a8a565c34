import { PAGE_POLICY, renderHtml, type HtmlPage } from './html.ts';
import { type PageKind, pageTexts, type PageText } from './page-texts.ts';
import { fieldValue } from '../http1/write-head.ts';
import type { RequestHead } from '../http1/request-head.ts';

export type PageContext = {
  /** Undefined when the request could not be read. */
  request: RequestHead | undefined;
  visitorAddress: string;
  scheme: 'http' | 'https';
  consoleUrl: string;
  keepAlive: boolean;
  offlineSinceMs?: number | undefined;
};

/** A whole answer that the relay gives by itself: a page for people, a short text for programs. */
export function pageResponse(kind: PageKind, context: PageContext): Buffer {
  const text = pageTexts[kind];
  const isForPeople = context.request === undefined || isNavigation(context.request);
  const type = isForPeople ? 'text/html' : wantsJson(context.request) ? 'application/json' : 'text/plain';
  const body = Buffer.from(isForPeople ? html(kind, text, context) : plain(kind, text, type));
  let head = `HTTP/1.1 ${text.status} ${reasons[text.status] ?? 'Error'}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Length: ${body.length}\r\n`;
  head += `Cache-Control: no-store\r\nX-Robots-Tag: noindex\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nVary: Accept\r\n`;
  head += `Content-Security-Policy: ${PAGE_POLICY}\r\n`;
  if (text.retryAfterSeconds !== undefined) head += `Retry-After: ${text.retryAfterSeconds}\r\n`;
  head += connectionLine(context);
  const isHead = context.request?.method === 'HEAD';
  return isHead ? Buffer.from(`${head}\r\n`) : Buffer.concat([Buffer.from(`${head}\r\n`), body]);
}

/** What a visitor's connection is told in an answer of the relay's own. */
export function connectionLine(context: { request: RequestHead | undefined; keepAlive: boolean }): string {
  if (!context.keepAlive) return 'Connection: close\r\n';
  return context.request?.version === 10 ? 'Connection: keep-alive\r\n' : '';
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  508: 'Loop Detected',
};

function isNavigation(request: RequestHead): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const mode = fieldValue(request.fields, 'sec-fetch-mode');
  if (mode !== undefined && mode !== 'navigate') return false;
  return fieldValue(request.fields, 'accept')?.includes('text/html') === true;
}

function wantsJson(request: RequestHead | undefined): boolean {
  return request !== undefined && /[/+]json\b/.test(fieldValue(request.fields, 'accept') ?? '');
}

function plain(kind: PageKind, text: PageText, type: string): string {
  const detail = `${text.text}${kind === 'verify' ? '' : text.advice}`;
  return type === 'application/json'
    ? JSON.stringify({ status: text.status, title: text.title, detail, code: `relay.${kind}` })
    : `${text.title}\n${detail}\n`;
}

function html(kind: PageKind, text: PageText, context: PageContext): string {
  const { request } = context;
  const facts: Array<[string, string]> = [];
  if (request !== undefined) facts.push(['域名', request.host]);
  if (kind === 'verify') facts.push(['您的 IP', context.visitorAddress]);
  if (context.offlineSinceMs !== undefined) facts.push(['离线时间', chineseTime(context.offlineSinceMs)]);
  return renderHtml({
    title: text.title,
    paragraphs: [text.text],
    advice: text.advice,
    facts,
    ...waysOutOf(kind, context),
    next: nextOf(kind, text),
    footer: `通途 · ${text.status}`,
  });
}

type WaysOut = Pick<HtmlPage, 'button' | 'more'>;

function waysOutOf(kind: PageKind, { request, scheme, consoleUrl }: PageContext): WaysOut {
  if (request === undefined) return { button: undefined, more: undefined };
  const origin = `${scheme}://${request.hostField}`;
  const again = { text: '重试', href: origin + request.target };
  const why = (text: string) => ({
    text,
    href: `${consoleUrl}/#/errorport?invalidDomain=${encodeURIComponent(request.host)}`,
  });
  switch (kind) {
    case 'verify': {
      const url = encodeURIComponent(origin + request.target);
      return { button: { text: '前往验证', href: `${consoleUrl}/#/check?url=${url}` }, more: undefined };
    }
    case 'ticket-invalid':
      return { button: { text: '重新验证', href: `${origin}/` }, more: undefined };
    case 'no-mapping':
    case 'mapping-disabled':
    case 'device-disabled':
      return { button: why('前往控制台查看'), more: undefined };
    case 'device-offline':
    case 'loop':
    case 'target-refused':
    case 'target-not-found':
    case 'target-not-allowed':
    case 'target-tls-failed':
    case 'target-bad-answer':
    case 'target-lost':
    case 'target-timeout':
      return { button: again, more: why('我是设备的主人，去诊断') };
    case 'device-busy':
    case 'starting':
    case 'console-unavailable':
    case 'verification-unavailable':
    case 'too-many-connections':
    case 'misdirected':
      return { button: again, more: undefined };
    case 'bad-request':
    case 'request-timeout':
    case 'head-too-long':
    case 'not-supported':
    case 'no-page':
      return { button: undefined, more: undefined };
  }
}

/** Pages that say when to come back do so by themselves. */
function nextOf(kind: PageKind, { retryAfterSeconds }: PageText): HtmlPage['next'] {
  if (kind === 'verify') return { type: 'forward' };
  return retryAfterSeconds === undefined ? { type: 'stay' } : { type: 'reload', afterSeconds: retryAfterSeconds };
}

function chineseTime(atMs: number): string {
  return `${new Date(atMs).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })}（北京时间）`;
}
