import { describe, expect, test } from 'vitest';
import { visitorCookieNames } from '../../access/visitor-cookie.ts';
import { HttpDate } from '../http/http-date.ts';
import { OriginRewrite } from '../http/origin-rewrite.ts';
import { parseRequestHead } from './parse-request-head.ts';
import type { AnswerRules } from '../http/response-fields.ts';
import { parseResponseHead } from './parse-response-head.ts';
import { type ResponseRewrite, writeRequestHead, writeResponseHead } from './write-head.ts';

const date = new HttpDate(() => Date.UTC(2026, 10, 21, 8, 0, 0));
const marks = { visitorCookies: visitorCookieNames, hopId: 'tongtu-0', date };
const forwarded = 'X-Forwarded-For: 203.0.113.7\r\n';

function rewritten(...lines: string[]): string[] {
  const text = ['GET /x HTTP/1.1', 'Host: NAS.example.com:8443', ...lines].map((line) => `${line}\r\n`).join('');
  return writeRequestHead(parseRequestHead(text), { marks, forwarded, origins: undefined }).split('\r\n');
}

describe('a request towards a device', () => {
  test('keeps its Host and says who sent it', () => {
    expect(rewritten('Accept: */*')).toEqual([
      'GET /x HTTP/1.1',
      'Host: NAS.example.com:8443',
      'Accept: */*',
      'CDN-Loop: tongtu-0',
      'X-Forwarded-For: 203.0.113.7',
      'Connection: keep-alive',
      '',
      '',
    ]);
  });
  test.each([
    'X-Forwarded-For: 1.2.3.4',
    'X-FORWARDED-PROTO: http',
    'X-Forwarded-Anything: 1',
    'X_Forwarded_For: 1.2.3.4',
    'X-Forwarded_For: 1.2.3.4',
    'Forwarded: for=1.2.3.4',
    'X-Real-IP: 1.2.3.4',
    'X_Real_IP: 1.2.3.4',
    'X-Client-IP: 1.2.3.4',
    'Client-IP: 1.2.3.4',
    'Client_IP: 1.2.3.4',
    'True-Client-IP: 1.2.3.4',
    'CF-Connecting-IP: 1.2.3.4',
    'X-Cluster-Client-IP: 1.2.3.4',
    'Fastly-Client-IP: 1.2.3.4',
    'WL-Proxy-Client-IP: 1.2.3.4',
    'X-Original-Forwarded-For: 1.2.3.4',
    'X-Forwarded: for=1.2.3.4',
    'Forwarded-For: 1.2.3.4',
    'X-Original-URL: /admin',
    'X_Original_URL: /admin',
    'X-Rewrite-URL: /admin',
    'Proxy: http://1.2.3.4/',
    'Keep-Alive: timeout=5',
    'Proxy-Connection: keep-alive',
    'TE: trailers',
    'Upgrade: h2c',
    'HTTP2-Settings: AAAA',
    'Content_Length: 5',
    'Transfer_Encoding: chunked',
  ])('drops %s', (line) => {
    expect(rewritten(line)).toEqual(rewritten());
  });
  test('drops what Connection names, but never its own lines', () => {
    expect(rewritten('Connection: X-Secret, Host, X-Forwarded-For', 'X-Secret: 1')).toEqual(rewritten());
  });
  test('states the framing that the relay understood even when Connection names it', () => {
    expect(rewritten('Connection: content-length', 'Content-Length: 007')).toContain('Content-Length: 7');
    expect(rewritten('Connection: transfer-encoding', 'Transfer-Encoding: Chunked')).toContain(
      'Transfer-Encoding: chunked',
    );
  });
  test('adds this relay to CDN-Loop after the proxies before it', () => {
    const lines = rewritten('CDN-Loop: other.example; v=1').filter((line) => line.startsWith('CDN-Loop'));
    expect(lines).toEqual(['CDN-Loop: other.example; v=1', 'CDN-Loop: tongtu-0']);
  });
  test('keeps the cookie of the visitor gate to itself', () => {
    expect(rewritten('Cookie: a=1; tongtu_visitor=1.2.3; b=2')).toContain('Cookie: a=1; b=2');
    expect(rewritten('Cookie: tongtu_visitor=1', 'Cookie: tongtu_visitor=2')).toEqual(rewritten());
    expect(rewritten('Cookie: a=1; __Host-tongtu_visitor=1.2.3; tongtu_visitor=4')).toContain('Cookie: a=1');
    expect(rewritten('Cookie: not_tongtu_visitor=1')).toContain('Cookie: not_tongtu_visitor=1');
  });
  test('asks for an upgrade in the proper way', () => {
    const lines = rewritten('Connection: keep-alive, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x');
    expect(lines).toContain('Connection: Upgrade');
    expect(lines).toContain('Upgrade: websocket');
    expect(lines).not.toContain('Connection: keep-alive');
  });
});

const DATE = 'Date: Fri, 20 Nov 2026 08:00:00 GMT';
const rules: AnswerRules = { reservedCookies: visitorCookieNames, origins: undefined };

/** The lines of an answer besides its Date. */
function answered(lines: string[], rewrite: Partial<ResponseRewrite> = {}, method = 'GET'): string[] {
  const dated = [lines[0], DATE, ...lines.slice(1)];
  const head = parseResponseHead(dated.map((line) => `${line}\r\n`).join(''), method);
  const text = writeResponseHead(head, { connection: undefined, isUnchunked: false, rules, date, ...rewrite });
  return text.split('\r\n').filter((line) => line !== DATE);
}

test('OPTIONS gets a Max-Forwards lower by one, and other methods keep theirs', () => {
  const sent = (method: string, value: string) =>
    writeRequestHead(parseRequestHead(`${method} / HTTP/1.1\r\nHost: a\r\nMax-Forwards: ${value}\r\n`), {
      marks,
      forwarded,
      origins: undefined,
    }).split('\r\n');
  expect(sent('OPTIONS', '3')).toContain('Max-Forwards: 2');
  expect(sent('OPTIONS', 'x')).toContain('Max-Forwards: x');
  expect(sent('GET', '3')).toContain('Max-Forwards: 3');
});

describe('an answer towards a visitor', () => {
  test('drops the fields of the connection to the device', () => {
    const lines = [
      'HTTP/1.0 200 Fine',
      'Connection: close, X-Hop',
      'X-Hop: 1',
      'Keep-Alive: timeout=5',
      'Content-Length: 3',
      'X-A: 1',
    ];
    expect(answered(lines, { connection: 'close' })).toEqual([
      'HTTP/1.1 200 Fine',
      'Content-Length: 3',
      'X-A: 1',
      'Connection: close',
      '',
      '',
    ]);
  });
  test.each([
    ['a=1; Domain=example.com; Path=/', 'a=1; Path=/'],
    ['a=1;domain = .example.com', 'a=1'],
    ['a=1; DOMAIN; Secure', 'a=1; Secure'],
    ['domain=1; Path=/', 'domain=1; Path=/'],
    ['a=1; Path=/domain', 'a=1; Path=/domain'],
  ])('carries the cookie %s as %s', (cookie, expected) => {
    expect(answered(['HTTP/1.1 200 OK', 'Content-Length: 0', `Set-Cookie: ${cookie}`])).toContain(
      `Set-Cookie: ${expected}`,
    );
  });
  test.each([
    ['a=1; Domain=Example.com; Path=/', 'a=1; Domain=Example.com; Path=/'],
    ['a=1; domain=.example.com', 'a=1; domain=.example.com'],
    ['a=1; Domain = example.com ;Secure', 'a=1; Domain = example.com ;Secure'],
    ['a=1; Domain=other.com; Secure', 'a=1; Secure'],
    ['a=1; Domain=; Secure', 'a=1; Secure'],
    ['a=1; Domain=..example.com', 'a=1'],
    ['a=1; Domain=example.com; Domain=com', 'a=1; Domain=example.com'],
  ])('of a custom domain carries the cookie %s as %s', (cookie, expected) => {
    const own: AnswerRules = { ...rules, mayNameCookieDomain: (domain) => domain === 'example.com' };
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0', `Set-Cookie: ${cookie}`];
    expect(answered(lines, { rules: own })).toContain(`Set-Cookie: ${expected}`);
  });
  test.each([
    'tongtu_visitor=x; Path=/',
    '__Host-tongtu_visitor=x; Path=/; Secure',
    '=tongtu_visitor=x',
    ' tongtu_visitor =x',
  ])('cannot set the cookie of the visitor gate: %s', (cookie) => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0'];
    expect(answered([...lines, `Set-Cookie: ${cookie}`])).toEqual([...lines, '', '']);
  });
  test('cannot clear cookies of other tenants and of the console', () => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0'];
    for (const all of ['"cookies"', '"*"', '"COOKIES"', '"cookies";a=1, "*"', '']) {
      expect(answered([...lines, `Clear-Site-Data: ${all}`]), all).toEqual([...lines, '', '']);
    }
  });
  test.each([
    ['"storage"', '"storage"'],
    ['"cache","cookies"', '"cache"'],
    ['"cookies", "cache", "*", "executionContexts"', '"cache", "executionContexts"'],
  ])('clears what %s names of its own host: %s', (value, passed) => {
    expect(answered(['HTTP/1.1 200 OK', `Clear-Site-Data: ${value}`])).toContain(`Clear-Site-Data: ${passed}`);
  });
  test('of the console keeps its cookies as they are', () => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Set-Cookie: a=1; Domain=example.com'];
    expect(answered(lines, { rules: { ...rules, reservedCookies: undefined } })).toContain(
      'Set-Cookie: a=1; Domain=example.com',
    );
  });
  test('states no length where RFC 9110 forbids one, and for HEAD the one of a GET', () => {
    expect(answered(['HTTP/1.1 204 No Content', 'Content-Length: 0'])).toEqual(['HTTP/1.1 204 No Content', '', '']);
    expect(answered(['HTTP/1.1 304 Not Modified', 'Content-Length: 9'])).toContain('Content-Length: 9');
    expect(answered(['HTTP/1.1 200 OK', 'Content-Length: 9'], {}, 'HEAD')).toContain('Content-Length: 9');
  });
  test('gets a Date when the service sent none; an interim answer does not', () => {
    const written = (status: string) =>
      writeResponseHead(parseResponseHead(`HTTP/1.1 ${status}\r\n`, 'HEAD'), {
        connection: undefined,
        isUnchunked: false,
        rules,
        date,
      });
    expect(written('200 OK')).toBe('HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 08:00:00 GMT\r\n\r\n');
    expect(written('103 Early Hints')).toBe('HTTP/1.1 103 Early Hints\r\n\r\n');
  });
  test('keeps Upgrade where a 426 answer requires it', () => {
    const lines = ['HTTP/1.1 426 Upgrade Required', 'Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0'];
    expect(answered(lines)).toEqual([
      'HTTP/1.1 426 Upgrade Required',
      'Upgrade: websocket',
      'Content-Length: 0',
      'Connection: Upgrade',
      '',
      '',
    ]);
    expect(answered(lines, { connection: 'close' })).toContain('Connection: close, Upgrade');
    expect(answered(['HTTP/1.1 200 OK', 'Upgrade: h2c', 'Content-Length: 0'])).not.toContain('Upgrade: h2c');
  });
});

test('a service with a rewritten Host sees only its own address, and the visitor only the public one', () => {
  const own = { scheme: 'http', authority: '192.168.1.1' } as const;
  const shown = { scheme: 'https', authority: 'nas.example.com' } as const;
  const origins = new OriginRewrite({ shown, sent: own, ofPages: own, davScheme: 'http', inAnswers: () => [own] });
  const request = parseRequestHead(
    'POST /login HTTP/1.1\r\nHost: nas.example.com\r\nOrigin: https://nas.example.com\r\nCookie: a=1\r\n',
  );
  const sent = writeRequestHead(request, { marks, forwarded, origins }).split('\r\n');
  expect(sent).toEqual(expect.arrayContaining(['Host: 192.168.1.1', 'Origin: http://192.168.1.1', 'Cookie: a=1']));
  expect(
    answered(['HTTP/1.1 302 Found', 'Location: http://192.168.1.1/home', 'Content-Length: 0'], {
      rules: { ...rules, origins },
    }),
  ).toContain('Location: https://nas.example.com/home');
});
