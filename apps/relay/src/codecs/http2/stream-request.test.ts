import { describe, expect, test } from 'vitest';
import { HttpRefusal } from '../http/http-refusal.ts';
import { parseStreamRequest, parseStreamTrailers } from './stream-request.ts';

const pseudo = [':method', 'GET', ':scheme', 'https', ':authority', 'NAS.example.com:8443', ':path', '/a?b'];
const parse = (raw: string[], hasBody = false) => parseStreamRequest(raw, { hasBody });
const withPseudo = (name: string, value: string) =>
  pseudo.map((text, index) => (pseudo[index - 1] === name && index % 2 === 1 ? value : text));
const without = (name: string) => pseudo.filter((_text, at) => pseudo[at - (at % 2)] !== name);

test('the head of a stream is read like the same head in HTTP/1.1', () => {
  expect(parse([...pseudo, 'accept', '*/*', 'x-a', ''])).toEqual({
    method: 'GET',
    target: '/a?b',
    version: 11,
    host: 'nas.example.com',
    hostField: 'NAS.example.com:8443',
    fields: [
      { name: 'accept', key: 'accept', value: '*/*' },
      { name: 'x-a', key: 'x-a', value: '' },
    ],
    options: [],
    framing: { type: 'none' },
    wantsKeepAlive: true,
    upgrade: undefined,
  });
});

test('several Cookie fields are joined into one', () => {
  const { fields } = parse([...pseudo, 'cookie', 'a=1', 'accept', '*/*', 'cookie', 'b=2', 'cookie', 'c=3; d=4']);
  expect(fields.filter(({ key }) => key === 'cookie').map(({ value }) => value)).toEqual(['a=1; b=2; c=3; d=4']);
});

test('Host may replace :authority, or repeat it exactly', () => {
  expect(parse([...without(':authority'), 'host', 'a.example']).hostField).toBe('a.example');
  expect(parse([...pseudo, 'host', 'nas.example.com:8443']).hostField).toBe('NAS.example.com:8443');
});

test('a body has the declared length, or is forwarded in chunks', () => {
  expect(parse([...pseudo, 'content-length', '5'], true).framing).toEqual({ type: 'length', length: 5 });
  expect(parse(pseudo, true).framing).toEqual({ type: 'chunked' });
  expect(parse([...pseudo, 'content-length', '0']).framing).toEqual({ type: 'length', length: 0 });
});

test('OPTIONS may be about the server as a whole', () => {
  expect(parse([...withPseudo(':method', 'OPTIONS').slice(0, 6), ':path', '*']).target).toBe('*');
});

describe('what HTTP/1 refuses, and what is malformed only in HTTP/2, is refused', () => {
  test.each<[string, string[]]>([
    ['no method', without(':method')],
    ['no scheme', without(':scheme')],
    ['no path', without(':path')],
    ['no authority and no host', without(':authority')],
    ['two paths', [...pseudo, ':path', '/c']],
    ['an unknown pseudo-header field', [...pseudo, ':status', '200']],
    ['extended CONNECT', [...pseudo, ':protocol', 'websocket']],
    ['a pseudo-header field after others', [':method', 'GET', 'accept', '*/*', ...pseudo.slice(2)]],
    ['another scheme', withPseudo(':scheme', 'http')],
    ['an absolute path', withPseudo(':path', 'https://nas.example.com/')],
    ['an empty path', withPseudo(':path', '')],
    ['a star that is not of OPTIONS', withPseudo(':path', '*')],
    ['a blank in the path', withPseudo(':path', '/a b')],
    ['a fragment in the path', withPseudo(':path', '/a#b')],
    ['someone’s name in the authority', withPseudo(':authority', 'a@nas.example.com')],
    ['a port that there is not', withPseudo(':authority', 'localhost:65536')],
    ['two names in the authority', withPseudo(':authority', 'a.example,b.example')],
    ['another Host', [...pseudo, 'host', 'cam.example.com']],
    ['two Hosts', [...pseudo, 'host', 'nas.example.com:8443', 'host', 'nas.example.com:8443']],
    ['an upper-case name', [...pseudo, 'X-A', '1']],
    ['an empty name', [...pseudo, '', '1']],
    ['a blank in a name', [...pseudo, 'x a', '1']],
    ['a colon in a name', [...pseudo, 'x:a', '1']],
    ['a line break in a value', [...pseudo, 'x-a', '1\r\nx-b: 2']],
    ['NUL in a value', [...pseudo, 'x-a', 'a\0b']],
    ['a line break in the path', withPseudo(':path', '/ HTTP/1.1\r\nHost: evil')],
    ['a line break in the method', withPseudo(':method', 'GET / HTTP/1.1\r\nHost: evil\r\n\r\nGET')],
    ['a blank before a value', [...pseudo, 'x-a', ' 1']],
    ['a tab after a value', [...pseudo, 'x-a', '1\t']],
    ['connection', [...pseudo, 'connection', 'keep-alive']],
    ['keep-alive', [...pseudo, 'keep-alive', 'timeout=5']],
    ['proxy-connection', [...pseudo, 'proxy-connection', 'close']],
    ['transfer-encoding', [...pseudo, 'transfer-encoding', 'chunked']],
    ['upgrade', [...pseudo, 'upgrade', 'websocket']],
    ['a transfer coding in te', [...pseudo, 'te', 'trailers, gzip']],
    ['two lengths', [...pseudo, 'content-length', '0', 'content-length', '0']],
    ['a length and no body', [...pseudo, 'content-length', '5']],
    ['a length that is none', [...pseudo, 'content-length', '+0']],
  ])('%s', (_what, raw) => expect(() => parse(raw)).toThrow(HttpRefusal));

  test.each([
    ['CONNECT', 405],
    ['PRI', 501],
    ['get', 501],
  ])('the method %s', (method, status) =>
    expect(() => parse(withPseudo(':method', method))).toThrow(expect.objectContaining({ status })),
  );
});

test('te may ask for trailers, and is not forwarded', () => {
  expect(parse([...pseudo, 'te', 'trailers']).fields).toHaveLength(1);
});

test('a head that is too long for HTTP/1 is refused', () => {
  const tooLong = expect.objectContaining({ status: 431 });
  expect(() => parse([...pseudo, 'cookie', 'x'.repeat(33_000)])).toThrow(tooLong);
  expect(() => parse([...pseudo, ...Array.from({ length: 200 }, () => ['x-a', '1']).flat()])).toThrow(tooLong);
  const crumbs = (bytes: number) => Array.from({ length: 180 }, () => ['cookie', `a=${'x'.repeat(bytes)}`]).flat();
  expect(() => parse([...pseudo, ...crumbs(1000)])).toThrow(
    expect.objectContaining({
      status: 431,
      cookies: expect.objectContaining({ cookies: Array.from({ length: 180 }, () => ({ name: 'a', bytes: 1002 })) }),
    }),
  );
  const others = Array.from({ length: 40 }, (_, index) => [`x-${index}`, 'x'.repeat(1000)]).flat();
  expect(() => parse([...pseudo, ...others, ...crumbs(10)])).toThrow(
    expect.objectContaining({ status: 431, cookies: undefined }),
  );
  const tooLongPath = expect.objectContaining({ status: 414 });
  expect(() => parse(withPseudo(':path', `/${'x'.repeat(33_000)}`))).toThrow(tooLongPath);
});

test('as many Cookie fields as a browser may send become one field', () => {
  const crumbs = Array.from({ length: 300 }, (_, index) => ['cookie', `a${index}=1`]).flat();
  expect(parse([...pseudo, ...crumbs]).fields).toMatchObject([
    { key: 'cookie', value: expect.stringMatching(/; a299=1$/) },
  ]);
});

test('trailers may hold neither pseudo-header fields nor fields for framing, routing or identity', () => {
  expect(parseStreamTrailers(['x-sum', '9', 'x-b', ''])).toMatchObject([
    { name: 'x-sum', value: '9' },
    { name: 'x-b', value: '' },
  ]);
  expect(() => parseStreamTrailers([':path', '/'])).toThrow(HttpRefusal);
  expect(() => parseStreamTrailers(['content-length', '5'])).toThrow(HttpRefusal);
  expect(() => parseStreamTrailers(['x_forwarded_for', '1.2.3.4'])).toThrow(HttpRefusal);
  expect(() => parseStreamTrailers(['x-a', '1\r\n\r\nGET / HTTP/1.1'])).toThrow(HttpRefusal);
});
