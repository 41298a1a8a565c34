/** The heads of the requests of a trial visit, as a browser writes them. Each line has its CRLF. */
import type { TrialVisit } from '@tongtu/contract';
import { randomBytes } from 'node:crypto';
import type { CookieJar } from './cookie-jar.ts';

const BROWSER =
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Tongtu-Test\r\n' +
  'Accept-Language: zh-CN,zh;q=0.9,en;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n';

export function pageHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  return (
    head(visit, target, jar) +
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nUpgrade-Insecure-Requests: 1\r\n' +
    'Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\nSec-Fetch-User: ?1\r\n'
  );
}

export function scriptHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  const { scheme, authority } = visit;
  return (
    head(visit, target, jar) +
    `Accept: */*\r\nOrigin: ${scheme}://${authority}\r\nReferer: ${scheme}://${authority}${target}\r\n` +
    'Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n'
  );
}

/** An empty form, without cookies: it belongs to nobody's session. */
export function formHead(visit: TrialVisit, target: string): string {
  const { scheme, authority } = visit;
  return (
    head(visit, target, { line: '' }, 'POST') +
    `Accept: text/html,*/*;q=0.8\r\nOrigin: ${scheme}://${authority}\r\nReferer: ${scheme}://${authority}/\r\n` +
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n' +
    'Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-User: ?1\r\n'
  );
}

/** RFC 6455 §4.1. */
export function socketHead(visit: TrialVisit, target: string, jar: CookieJar): string {
  return (
    head(visit, target, jar) +
    `Origin: ${visit.scheme}://${visit.authority}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`
  );
}

function head({ authority }: TrialVisit, target: string, { line }: Pick<CookieJar, 'line'>, method = 'GET'): string {
  return `${method} ${target} HTTP/1.1\r\nHost: ${authority}\r\n${BROWSER}${line}`;
}
