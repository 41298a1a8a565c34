import type { Socket } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { MAX_SEEN_LIST_LENGTH, type SeenService } from '@tongtu/tunnel';
import { startTls } from '../forward/start-tls.ts';
import type { CommonPort } from './common-ports.ts';
import { faviconHash } from './favicon-hash.ts';
import { decodeText, type HtmlPage, readHtml } from './html-page.ts';
import { type Page, requestPage } from './http-request.ts';
import type { PacedDialer } from './paced-dialer.ts';
import { readFirstBytes } from './read-first-bytes.ts';
import { decodeSeen, decodeSeenField, seenText } from './seen-text.ts';
import { withoutUndefined } from './ssdp-answer.ts';

const CONNECT_MS = 800;
const ANSWER_MS = 1500;
/** Devices with slow processors need more for a handshake. */
const TLS_MS = 2500;
/** From the start page to the page that has a title. */
const MAX_HOPS = 2;

type Target = CommonPort & { address: string };

/** What answers at a port. Throws TargetError when the port is not open. */
export async function identifyService(dialer: PacedDialer, target: Target): Promise<SeenService> {
  const socket = await dialer.dial(target.address, target.port, CONNECT_MS);
  const { port, protocol = '' } = target;
  switch (target.kind) {
    case 'silent':
      socket.destroy();
      return { port, protocol };
    case 'banner':
      return { port, protocol, ...readBanner(await readFirstBytes(socket, { timeoutMs: ANSWER_MS })) };
    case 'rdp':
      return { port, ...readRdp(await readFirstBytes(socket, { timeoutMs: ANSWER_MS, send: RDP_REQUEST })) };
    case 'rtsp':
      return { port, ...readRtsp(await readFirstBytes(socket, { timeoutMs: ANSWER_MS, send: rtspRequest(target) })) };
    case 'http':
    case 'https':
      return { port, ...(await identifyWeb(dialer, target, socket)) };
  }
}

/** The login prompt of a telnet server is between option commands (RFC 854), which begin with IAC. */
const IAC = 0xff;

function readBanner(bytes: Buffer): Partial<SeenService> {
  const banner = seenText(decodeSeen(bytes));
  const found = { ...withoutUndefined({ banner }) };
  if (bytes[0] === IAC) return { protocol: 'telnet' };
  if (banner === undefined) return {};
  if (banner.startsWith('SSH-')) return { ...found, protocol: 'ssh' };
  if (/^RFB \d{3}\./.test(banner)) return { ...found, protocol: 'vnc' };
  if (/^220[ -].*ftp/i.test(banner)) return { ...found, protocol: 'ftp' };
  if (banner.startsWith('@RSYNCD:')) return { ...found, protocol: 'rsync' };
  return found;
}

/** X.224 connection request with an offer of TLS and CredSSP ([MS-RDPBCGR] §2.2.1.1). */
const RDP_REQUEST = Buffer.from('030000130ee000000000000100080003000000', 'hex');

function readRdp(bytes: Buffer): { protocol: string } {
  const isConfirm = bytes.length >= 7 && bytes[0] === 3 && bytes[1] === 0 && bytes[5] === 0xd0;
  return { protocol: isConfirm ? 'rdp' : '' };
}

function rtspRequest({ address, port }: Target): Buffer {
  return Buffer.from(`OPTIONS rtsp://${address}:${port}/ RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Tongtu-Discovery\r\n\r\n`);
}

function readRtsp(bytes: Buffer): { protocol: string; server?: string } {
  const text = bytes.toString('latin1');
  if (!text.startsWith('RTSP/1.0 ')) return { protocol: '' };
  return { protocol: 'rtsp', ...withoutUndefined({ server: seenText(/^server:(.*)$/im.exec(text)?.[1]) }) };
}

type WebService = Omit<SeenService, 'port'>;

/** Plain or over TLS: the usual one of the port first, and the other one when that gives no HTTP answer. */
async function identifyWeb(dialer: PacedDialer, target: Target, socket: Socket): Promise<WebService> {
  const order = target.kind === 'https' ? (['https', 'http'] as const) : (['http', 'https'] as const);
  let open: Socket | undefined = socket;
  for (const protocol of order) {
    try {
      const found = await readWeb(dialer, { ...target, protocol }, open ?? (await dialFor(dialer, target)));
      if (found !== undefined) return found;
    } catch {
      // no answer by this protocol
    }
    open = undefined;
  }
  return { protocol: '' };
}

type WebTarget = Target & { protocol: 'http' | 'https' };

async function readWeb(dialer: PacedDialer, target: WebTarget, socket: Socket): Promise<WebService | undefined> {
  let secured = await secure(socket, target);
  const certificate = certificateTexts(secured);
  let page = await get(secured, target, target.path ?? '/');
  // Web servers answer a plain request on a TLS port in plain text.
  if (target.protocol === 'http' && page.status === 400 && /https|ssl|tls/i.test(page.body.toString('latin1')))
    return undefined;
  const first = page;
  let html = readHtml(page.body, page.headers['content-type']);
  let path = target.path ?? '/';
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const next = nextPath(page, html, target, path);
    if (next === undefined) break;
    secured = await secure(await dialFor(dialer, target), target);
    path = next;
    page = await get(secured, target, path);
    html = readHtml(page.body, page.headers['content-type']);
  }
  return {
    protocol: target.protocol,
    status: Math.min(Math.max(first.status, 100), 999),
    ...withoutUndefined({
      title: html.title,
      server: seenText(decodeSeenField(String(first.headers.server ?? page.headers.server ?? ''))),
      realm: seenText(
        /realm="?([^"]{1,200})/i.exec(decodeSeenField(String(first.headers['www-authenticate'] ?? '')))?.[1],
      ),
      banner: bannerOf(page),
      favicon: await findFavicon(dialer, target, html, path),
      isWebdav: (await isWebdav(dialer, target, page)) ? true : undefined,
    }),
    ...(certificate.length > 0 && { certificate }),
  };
}

async function dialFor(dialer: PacedDialer, { address, port }: Target): Promise<Socket> {
  return await dialer.dial(address, port, CONNECT_MS);
}

async function secure(socket: Socket, { protocol, address }: WebTarget): Promise<Socket> {
  if (protocol === 'http') return socket;
  return await startTls(socket, address, { isVerified: false, signal: AbortSignal.timeout(TLS_MS) });
}

async function get(socket: Socket, { address, port }: Target, path: string): Promise<Page> {
  return await requestPage(socket, { address, port, path, timeoutMs: ANSWER_MS });
}

/** Where the page leads at once, if that is the same service. */
function nextPath({ status, headers }: Page, html: HtmlPage, target: WebTarget, path: string): string | undefined {
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  const next = location ?? (html.title === undefined ? html.refresh : undefined);
  return next === undefined ? undefined : pathOfSameService(next, target, path);
}

/** Undefined for another host or port: a page does not choose where the agent sends a request. */
export function pathOfSameService(
  link: string,
  { protocol, address, port }: Pick<WebTarget, 'protocol' | 'address' | 'port'>,
  path: string,
): string | undefined {
  const origin = `${protocol}://${address}:${port}`;
  if (!URL.canParse(link, origin + path)) return undefined;
  const url = new URL(link, origin + path);
  if (url.origin !== new URL(origin).origin) return undefined;
  return url.pathname + url.search;
}

/** The beginning of an answer that is no page, such as JSON. */
function bannerOf({ body, headers }: Page): string | undefined {
  const contentType = headers['content-type'] ?? '';
  if (!/json|xml|text\/plain/i.test(contentType) || /html/i.test(contentType)) return undefined;
  return seenText(decodeText(body, contentType));
}

async function findFavicon(
  dialer: PacedDialer,
  target: WebTarget,
  html: HtmlPage,
  path: string,
): Promise<number | undefined> {
  const iconPath = pathOfSameService(html.icon ?? '/favicon.ico', target, path);
  if (iconPath === undefined) return undefined;
  try {
    const { status, body, headers } = await get(await secure(await dialFor(dialer, target), target), target, iconPath);
    const isImage = /^image\/|octet-stream/i.test(headers['content-type'] ?? 'image/x-icon');
    return status === 200 && isImage && body.length > 0 ? faviconHash(body) : undefined;
  } catch {
    return undefined;
  }
}

async function isWebdav(dialer: PacedDialer, target: WebTarget, { status }: Page): Promise<boolean> {
  // A page for people is not asked a second time.
  if (status < 400 && status !== 207) return false;
  try {
    const { address, port } = target;
    const socket = await secure(await dialFor(dialer, target), target);
    const { headers } = await requestPage(socket, {
      address,
      port,
      path: '/',
      timeoutMs: ANSWER_MS,
      method: 'OPTIONS',
    });
    return headers['dav'] !== undefined;
  } catch {
    return false;
  }
}

function certificateTexts(socket: Socket): string[] {
  if (!('getPeerCertificate' in socket)) return [];
  const certificate = (socket as TLSSocket).getPeerCertificate();
  return readCertificate(certificate);
}

export function readCertificate({ subject, issuer, subjectaltname }: Partial<PeerCertificate>): string[] {
  const texts = [
    ...textsOf(subject?.CN),
    ...textsOf(subject?.O),
    ...textsOf(issuer?.CN),
    ...textsOf(issuer?.O),
    ...[...(subjectaltname ?? '').matchAll(/DNS:([^,\s]{1,253})/g)]
      .slice(0, MAX_SEEN_LIST_LENGTH)
      .map(([, name]) => name),
  ];
  return [...new Set(texts.flatMap((text) => seenText(text) ?? []))].slice(0, MAX_SEEN_LIST_LENGTH);
}

/** Node returns an array where a certificate has a name twice. */
function textsOf(name: unknown): string[] {
  const all: unknown[] = Array.isArray(name) ? name : [name];
  return all.filter((text) => typeof text === 'string');
}
