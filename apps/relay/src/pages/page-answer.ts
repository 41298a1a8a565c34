import { fieldValue } from '../codecs/http/fields.ts';
import { type CookieHead, expiringCookies } from '../codecs/http/planted-cookies.ts';
import { GRPC_UNAUTHENTICATED, grpcStatusOf, isGrpc, percentEncoded } from '../codecs/http/grpc.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import { pagePolicy, renderHtml, type HtmlPage } from './html.ts';
import type { LocalResponse } from '../codecs/http/local-response.ts';
import { type PageKind, pageTexts, type PageText } from './page-texts.ts';

export type PageContext = {
  /** Undefined when the request could not be read. */
  request: RequestHead | undefined;
  visitorAddress: string;
  scheme: 'http' | 'https';
  consoleUrl: string;
  facts?: PageFacts | undefined;
  /** Only for `cookies-too-long`: what the browser is to forget. */
  cookies?: CookieHead | undefined;
  /** Only for `other-site`: the pages that may frame the address all the same. */
  framedBy?: readonly string[] | undefined;
  /** The origin of a page whose script may read the answer (CORS). */
  readableBy?: string | undefined;
};

/** Facts that a page lists below its text: name and value. */
export type PageFacts = ReadonlyArray<readonly [name: string, value: string]>;

/** The Allow field: what the relay forwards. A service may support fewer. */
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** A local response: a page for people, a short text for programs. */
export function pageAnswer(kind: PageKind, context: PageContext): LocalResponse {
  const text = pageTexts[kind];
  if (context.request !== undefined && isGrpc(context.request)) return grpcAnswer(kind, text);
  const isForPeople = context.request === undefined || isNavigation(context.request);
  const type = isForPeople ? 'text/html' : wantsJson(context.request) ? 'application/json' : 'text/plain';
  const fields: Array<readonly [string, string]> = [
    ['Content-Type', `${type}; charset=utf-8`],
    ['Cache-Control', 'no-store'],
    ['X-Robots-Tag', 'noindex'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', referrerPolicy(context)],
    ['Vary', context.readableBy === undefined ? 'Accept' : 'Accept, Origin'],
    ['Content-Security-Policy', pagePolicy(frameAncestors(kind, context))],
  ];
  // Any page below the same domain can set them, for more than a year. Over http, and with a certificate that they do not
  // trust, browsers ignore Clear-Site-Data.
  if (kind === 'cookies-too-long' && context.scheme === 'https') fields.push(['Clear-Site-Data', '"cookies"']);
  for (const line of context.cookies === undefined ? [] : expiringCookies(context.cookies))
    fields.push(['Set-Cookie', line]);
  if (kind === 'service-login') fields.push(['WWW-Authenticate', 'Basic realm="Restricted", charset="UTF-8"']);
  if (text.status === 405) fields.push(['Allow', ALLOWED_METHODS]);
  if (context.readableBy !== undefined)
    fields.push(['Access-Control-Allow-Origin', context.readableBy], ['Access-Control-Allow-Credentials', 'true']);
  if (text.retryAfterSeconds !== undefined) fields.push(['Retry-After', String(text.retryAfterSeconds)]);
  const body = Buffer.from(isForPeople ? html(kind, text, context) : plain(kind, text, type));
  return { status: text.status, fields, body };
}

/** Clients of gRPC show their caller status and message, and nothing of another answer. It has no body ("Trailers-Only"). */
function grpcAnswer(kind: PageKind, { status, title, text, advice, forPrograms = advice }: PageText): LocalResponse {
  const grpcStatus = isGate(kind) ? GRPC_UNAUTHENTICATED : grpcStatusOf(status);
  const fields = [
    ['Content-Type', 'application/grpc'],
    ['Grpc-Status', String(grpcStatus)],
    ['Grpc-Message', percentEncoded(`${title}：${text}${forPrograms}`)],
    ['Cache-Control', 'no-store'],
  ] as const;
  return { status: 200, fields, body: Buffer.alloc(0) };
}

/** Who may frame a page; undefined: everybody. The browser enforces it, and shows nothing in other frames. */
function frameAncestors(kind: PageKind, { framedBy }: PageContext): string | undefined {
  if (framedBy !== undefined) return ["'self'", ...framedBy].join(' ');
  return kind === 'other-site' ? undefined : "'none'";
}

/** A page that repeats its own request sends its origin as Referer. */
function referrerPolicy({ framedBy }: PageContext): HtmlPage['referrer'] {
  return framedBy === undefined ? 'no-referrer' : 'origin';
}

function isNavigation(request: RequestHead): boolean {
  const mode = fieldValue(request.fields, 'sec-fetch-mode');
  if (mode !== undefined && mode !== 'navigate') return false;
  return fieldValue(request.fields, 'accept')?.includes('text/html') === true;
}

function wantsJson(request: RequestHead | undefined): boolean {
  return request !== undefined && /[/+]json\b/.test(fieldValue(request.fields, 'accept') ?? '');
}

function plain(kind: PageKind, text: PageText, type: string): string {
  const detail = `${text.text}${text.forPrograms ?? text.advice}`;
  return type === 'application/json'
    ? JSON.stringify({ status: text.status, title: text.title, detail, code: `relay.${kind}` })
    : `${text.title}\n${detail}\n`;
}

function html(kind: PageKind, text: PageText, context: PageContext): string {
  const { request } = context;
  const facts: Array<readonly [string, string]> = [];
  if (request !== undefined) facts.push(['域名', request.host]);
  if (isGate(kind)) facts.push(['您的 IP', context.visitorAddress]);
  facts.push(...(context.facts ?? []));
  return renderHtml({
    title: text.title,
    paragraphs: [text.text],
    advice: text.advice,
    facts,
    ...waysOutOf(kind, context),
    next: context.framedBy === undefined ? nextOf(kind, text) : { type: 'once-more' },
    referrer: referrerPolicy(context),
    footer: `通途 · ${text.status}`,
  });
}

/** Where the console decides whether a browser may open an address. */
export function enterUrl(consoleUrl: string, address: string): string {
  return `${consoleUrl}/custom/enter?url=${encodeURIComponent(address)}`;
}

/** The link to the console comes first. */
function isGate(kind: PageKind): boolean {
  return kind === 'verify' || kind === 'password';
}

type WaysOut = Pick<HtmlPage, 'button' | 'more'>;

function waysOutOf(kind: PageKind, { request, scheme, consoleUrl }: PageContext): WaysOut {
  // To the browser's current URL: the request may be unreadable.
  if (kind === 'cookies-too-long') return { button: { text: '重新打开', href: '' }, more: undefined };
  if (request === undefined) return { button: undefined, more: undefined };
  const origin = `${scheme}://${request.hostField}`;
  const again = { text: '重试', href: origin + request.target };
  const why = (text: string) => ({
    text,
    href: `${consoleUrl}/#/errorport?invalidDomain=${encodeURIComponent(request.host)}`,
  });
  switch (kind) {
    case 'verify':
    case 'password': {
      const text = kind === 'password' ? '前往输入密码' : '前往验证';
      return { button: { text, href: enterUrl(consoleUrl, origin + request.target) }, more: undefined };
    }
    case 'other-site':
      return { button: { text: '在新窗口中打开', href: again.href, isNewWindow: true }, more: undefined };
    case 'ticket-invalid':
      return { button: { text: '重新验证', href: `${origin}/` }, more: undefined };
    case 'closed-by-owner':
    case 'not-open-yet':
    case 'closed':
    case 'outside-hours':
      return { button: again, more: why('我是设备的所有者，去查看') };
    case 'no-mapping':
    case 'mapping-disabled':
    case 'device-disabled':
    case 'plan-ended':
    case 'over-plan-limit':
      return { button: why('前往控制台查看'), more: undefined };
    case 'device-offline':
    case 'agent-outdated':
    case 'loop':
    case 'target-refused':
    case 'target-not-found':
    case 'target-not-allowed':
    case 'target-tls-failed':
    case 'target-certificate':
    case 'target-bad-answer':
    case 'target-no-http2':
    case 'target-lost':
    case 'target-timeout':
      return { button: again, more: why('我是设备的所有者，去诊断') };
    case 'device-busy':
    case 'mapping-changed':
    case 'starting':
    case 'console-unavailable':
    case 'verification-unavailable':
    case 'too-many-connections':
    case 'misdirected':
    case 'service-login':
    case 'too-many-passwords':
      return { button: again, more: undefined };
    case 'https-only':
    case 'bad-request':
    case 'method-not-allowed':
    case 'request-timeout':
    case 'target-too-long':
    case 'head-too-long':
    case 'not-supported':
    case 'version-not-supported':
    case 'no-page':
    case 'no-service-here':
    case 'too-many-proofs':
      return { button: undefined, more: undefined };
  }
}

/** Pages with a retry time reload themselves. */
function nextOf(kind: PageKind, { retryAfterSeconds }: PageText): HtmlPage['next'] {
  if (isGate(kind)) return { type: 'forward' };
  if (kind === 'https-only') return { type: 'by-https' };
  return retryAfterSeconds === undefined ? { type: 'stay' } : { type: 'reload', afterSeconds: retryAfterSeconds };
}
