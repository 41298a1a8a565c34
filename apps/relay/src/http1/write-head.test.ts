import { describe, expect, test } from 'vitest';
import { parseRequestHead } from './request-head.ts';
import { parseResponseHead } from './response-head.ts';
import { writeRequestHead, writeResponseHead } from './write-head.ts';

const marks = { visitorCookie: 'tongtu_visitor', hopId: 'tongtu-0' };
const visitor = { address: '203.0.113.7', scheme: 'https' as const };

function rewritten(...lines: string[]): string[] {
  const text = ['GET /x HTTP/1.1', 'Host: NAS.example.com:8443', ...lines].map((line) => `${line}\r\n`).join('');
  return writeRequestHead(parseRequestHead(text), visitor, marks).split('\r\n');
}

describe('a request towards a device', () => {
  test('keeps its Host and says who sent it', () => {
    expect(rewritten('Accept: */*')).toEqual([
      'GET /x HTTP/1.1',
      'Host: NAS.example.com:8443',
      'Accept: */*',
      'CDN-Loop: tongtu-0',
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: NAS.example.com:8443',
      'X-Real-IP: 203.0.113.7',
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
  test('states the framing that was understood even when Connection names it', () => {
    expect(rewritten('Connection: content-length', 'Content-Length: 007')).toContain('Content-Length: 7');
    expect(rewritten('Connection: transfer-encoding', 'Transfer-Encoding: Chunked')).toContain(
      'Transfer-Encoding: chunked',
    );
  });
  test('names this relay after those that it came through', () => {
    const lines = rewritten('CDN-Loop: other.example; v=1').filter((line) => line.startsWith('CDN-Loop'));
    expect(lines).toEqual(['CDN-Loop: other.example; v=1', 'CDN-Loop: tongtu-0']);
  });
  test('keeps the cookie of the visitor gate to itself', () => {
    expect(rewritten('Cookie: a=1; tongtu_visitor=1.2.3; b=2')).toContain('Cookie: a=1; b=2');
    expect(rewritten('Cookie: tongtu_visitor=1', 'Cookie: tongtu_visitor=2')).toEqual(rewritten());
    expect(rewritten('Cookie: not_tongtu_visitor=1')).toContain('Cookie: not_tongtu_visitor=1');
  });
  test('asks for an upgrade in the proper way', () => {
    const lines = rewritten('Connection: keep-alive, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x');
    expect(lines).toContain('Connection: Upgrade');
    expect(lines).toContain('Upgrade: websocket');
    expect(lines).not.toContain('Connection: keep-alive');
  });
});

function answered(
  lines: string[],
  rewrite: Partial<Parameters<typeof writeResponseHead>[1]> = {},
  method = 'GET',
): string[] {
  const head = parseResponseHead(lines.map((line) => `${line}\r\n`).join(''), method);
  return writeResponseHead(head, {
    connection: undefined,
    isUnchunked: false,
    reservedCookie: 'tongtu_visitor',
    ...rewrite,
  }).split('\r\n');
}

describe('an answer towards a visitor', () => {
  test('loses what belongs to the connection to the device', () => {
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
  test('cannot set the cookie of the visitor gate', () => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Set-Cookie: tongtu_visitor=x; Path=/'];
    expect(answered(lines)).toEqual(['HTTP/1.1 200 OK', 'Content-Length: 0', '', '']);
  });
  test('cannot clear the cookies that its neighbours and the console share a domain with', () => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0'];
    expect(answered([...lines, 'Clear-Site-Data: "cache", "cookies"'])).toEqual([...lines, '', '']);
    expect(answered([...lines, 'Clear-Site-Data: "*"'])).toEqual([...lines, '', '']);
    expect(answered([...lines, 'Clear-Site-Data: "storage"'])).toContain('Clear-Site-Data: "storage"');
  });
  test('of the console keeps its cookies as they are', () => {
    const lines = ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Set-Cookie: a=1; Domain=example.com'];
    expect(answered(lines, { reservedCookie: undefined })).toContain('Set-Cookie: a=1; Domain=example.com');
  });
  test('states no length where none may be, and the one a GET would have had where it may', () => {
    expect(answered(['HTTP/1.1 204 No Content', 'Content-Length: 0'])).toEqual(['HTTP/1.1 204 No Content', '', '']);
    expect(answered(['HTTP/1.1 304 Not Modified', 'Content-Length: 9'])).toContain('Content-Length: 9');
    expect(answered(['HTTP/1.1 200 OK', 'Content-Length: 9'], {}, 'HEAD')).toContain('Content-Length: 9');
  });
});
