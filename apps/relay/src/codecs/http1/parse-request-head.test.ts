import { describe, expect, test } from 'vitest';
import { HttpRefusal } from '../http/http-refusal.ts';
import { parseRequestHead } from './parse-request-head.ts';

const parse = (...lines: string[]) => parseRequestHead(lines.map((line) => `${line}\r\n`).join(''));
const HOST = 'Host: nas.example.com';

function statusOfRefusal(act: () => unknown): number | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof HttpRefusal) return error.status;
    throw error;
  }
  return undefined;
}

test('a request head is read into its parts', () => {
  const head = parse(
    'POST /a?b=%20c HTTP/1.1',
    'Host: NAS.example.com:8080',
    'X-One: 1  ',
    'Content-Length: 3',
    'connection: Keep-Alive, X-One',
  );
  expect(head).toMatchObject({
    method: 'POST',
    target: '/a?b=%20c',
    version: 11,
    host: 'nas.example.com',
    hostField: 'NAS.example.com:8080',
    framing: { type: 'length', length: 3 },
    options: ['keep-alive', 'x-one'],
    wantsKeepAlive: true,
  });
  expect(head.fields[1]).toEqual({ name: 'X-One', key: 'x-one', value: '1' });
});

describe('an ambiguous request is refused', () => {
  const refused: Array<[string, string[], number?]> = [
    ['both lengths', ['GET / HTTP/1.1', HOST, 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['two Content-Length, even equal ones', ['GET / HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 1']],
    ['a list as Content-Length', ['GET / HTTP/1.1', HOST, 'Content-Length: 1, 1']],
    ['a signed Content-Length', ['GET / HTTP/1.1', HOST, 'Content-Length: +1']],
    ['a negative Content-Length', ['GET / HTTP/1.1', HOST, 'Content-Length: -1']],
    ['a hexadecimal Content-Length', ['GET / HTTP/1.1', HOST, 'Content-Length: 0x1']],
    ['an empty Content-Length', ['GET / HTTP/1.1', HOST, 'Content-Length:']],
    ['a Content-Length beyond what can be counted', ['GET / HTTP/1.1', HOST, 'Content-Length: 9999999999999999']],
    ['two Transfer-Encoding', ['GET / HTTP/1.1', HOST, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['an unknown coding', ['GET / HTTP/1.1', HOST, 'Transfer-Encoding: gzip, chunked'], 501],
    ['a disguised coding', ['GET / HTTP/1.1', HOST, 'Transfer-Encoding: xchunked'], 501],
    ['a quoted coding', ['GET / HTTP/1.1', HOST, 'Transfer-Encoding: "chunked"'], 501],
    ['Transfer-Encoding in HTTP/1.0', ['GET / HTTP/1.0', HOST, 'Transfer-Encoding: chunked']],
    ['a blank before the colon', ['GET / HTTP/1.1', HOST, 'Transfer-Encoding : chunked']],
    ['a folded line', ['GET / HTTP/1.1', HOST, 'X-A: 1', ' folded']],
    ['a tab-folded line', ['GET / HTTP/1.1', HOST, 'X-A: 1', '\tfolded']],
    ['a first field that is folded', ['GET / HTTP/1.1', ' Host: nas.example.com']],
    ['a bare LF in a value', ['GET / HTTP/1.1', HOST, 'X-A: 1\nTransfer-Encoding: chunked']],
    ['a bare CR in a value', ['GET / HTTP/1.1', HOST, 'X-A: 1\rX-B: 2']],
    ['NUL in a value', ['GET / HTTP/1.1', HOST, 'X-A: 1\0']],
    ['a control character in a value', ['GET / HTTP/1.1', HOST, 'X-A: \x7f']],
    ['a field without a name', ['GET / HTTP/1.1', HOST, ': 1']],
    ['a field without a colon', ['GET / HTTP/1.1', HOST, 'X-A']],
    ['a control character in a name', ['GET / HTTP/1.1', HOST, 'X\x01A: 1']],
    ['no Host', ['GET / HTTP/1.1', 'X-A: 1']],
    ['no Host in HTTP/1.0', ['GET / HTTP/1.0', 'X-A: 1']],
    ['two Hosts', ['GET / HTTP/1.1', HOST, HOST]],
    ['an empty Host', ['GET / HTTP/1.1', 'Host:']],
    ['a Host with a path', ['GET / HTTP/1.1', 'Host: nas.example.com/x']],
    ['a Host with user information', ['GET / HTTP/1.1', 'Host: nas.example.com@evil.example']],
    ['a Host with a port that there is not', ['GET / HTTP/1.1', 'Host: localhost:99999']],
    ['a Host that is a list', ['GET / HTTP/1.1', 'Host: a.example, b.example']],
    ['an unknown method', ['BREW / HTTP/1.1', HOST], 501],
    ['CONNECT', ['CONNECT nas.example.com:443 HTTP/1.1', HOST], 405],
    ['a method in lower case', ['get / HTTP/1.1', HOST], 501],
    ['two blanks in the request line', ['GET  / HTTP/1.1', HOST]],
    ['a blank after the version', ['GET / HTTP/1.1 ', HOST]],
    ['a target without a slash', ['GET x HTTP/1.1', HOST]],
    ['a fragment in the target', ['GET /#x HTTP/1.1', HOST]],
    ['a target that is not ASCII', ['GET /\xe9 HTTP/1.1', HOST]],
    ['an absolute target for another host', ['GET http://other.example/ HTTP/1.1', HOST]],
    ['a star for anything but OPTIONS', ['GET * HTTP/1.1', HOST]],
    ['HTTP/0.9', ['GET /', HOST]],
    ['HTTP/2.0', ['GET / HTTP/2.0', HOST], 505],
    ['HTTP/1.2', ['GET / HTTP/1.2', HOST], 505],
    ['a lower-case version', ['GET / http/1.1', HOST]],
    ['too many fields', ['GET / HTTP/1.1', HOST, ...Array.from({ length: 200 }, (_, index) => `X-${index}: 1`)], 431],
  ];
  test.each(refused)('%s', (_what, lines, status = 400) => {
    expect(statusOfRefusal(() => parse(...lines))).toBe(status);
  });
});

describe('what RFC 9112 requires to be accepted is accepted', () => {
  test('one empty line before the request', () => {
    expect(parseRequestHead(`\r\nGET / HTTP/1.1\r\n${HOST}\r\n`).target).toBe('/');
  });
  test('an empty port is none, also of an absolute target', () => {
    const host = { host: 'nas.example.com', hostField: 'NAS.example.com' };
    expect(parse('GET / HTTP/1.1', 'Host: NAS.example.com:')).toMatchObject(host);
    expect(parse('GET http://NAS.example.com/ HTTP/1.1', 'Host: NAS.example.com:')).toMatchObject(host);
    expect(parse('GET http://NAS.example.com:/ HTTP/1.1', 'Host: NAS.example.com')).toMatchObject(host);
    expect(() => parse('GET / HTTP/1.1', 'Host: NAS.example.com::')).toThrow(HttpRefusal);
  });
  test('an absolute target that agrees with Host is turned into a path', () => {
    expect(parse('GET http://nas.example.com/x?y HTTP/1.1', HOST).target).toBe('/x?y');
    expect(parse('GET http://nas.example.com HTTP/1.1', HOST).target).toBe('/');
  });
  test('a query without a path gets the path /', () => {
    expect(parse('GET http://nas.example.com?y=/z HTTP/1.1', HOST).target).toBe('/?y=/z');
  });
  test('OPTIONS of the whole server', () => {
    expect(parse('OPTIONS * HTTP/1.1', HOST).target).toBe('*');
    expect(parse('OPTIONS http://nas.example.com HTTP/1.1', HOST).target).toBe('*');
    expect(parse('OPTIONS http://nas.example.com/ HTTP/1.1', HOST).target).toBe('/');
  });
  test.each([
    ['[::1]:8080', '::1'],
    ['192.168.1.1', '192.168.1.1'],
    ['nas.example.com.', 'nas.example.com'],
  ])('Host %s is routed as %s', (field, host) => {
    expect(parse('GET / HTTP/1.1', `Host: ${field}`).host).toBe(host);
  });
});

describe('connection reuse and upgrades', () => {
  test.each([
    ['HTTP/1.1', undefined, true],
    ['HTTP/1.1', 'close', false],
    ['HTTP/1.1', 'keep-alive, Close', false],
    ['HTTP/1.0', undefined, false],
    ['HTTP/1.0', 'Keep-Alive', true],
  ])('%s with Connection: %s keeps alive: %s', (version, connection, expected) => {
    const lines = [`GET / ${version}`, HOST, ...(connection === undefined ? [] : [`Connection: ${connection}`])];
    expect(parse(...lines).wantsKeepAlive).toBe(expected);
  });
  test('an upgrade counts when Connection names it, and never to a protocol that hides requests', () => {
    expect(parse('GET / HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket').upgrade).toBe('websocket');
    expect(parse('GET / HTTP/1.1', HOST, 'Upgrade: websocket').upgrade).toBeUndefined();
    expect(
      parse('GET / HTTP/1.1', HOST, 'Connection: upgrade, HTTP2-Settings', 'Upgrade: h2c').upgrade,
    ).toBeUndefined();
    expect(parse('GET / HTTP/1.0', HOST, 'Connection: upgrade', 'Upgrade: websocket').upgrade).toBeUndefined();
  });
});
