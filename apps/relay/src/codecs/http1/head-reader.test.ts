import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeadReader } from './head-reader.ts';
import { MAX_HEAD_BYTES } from '../http/fields.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

test('a head is read alike however its bytes are cut, and the bytes after it stay unread', () => {
  const head = 'GET / HTTP/1.1\r\nHost: a\r\nX: \r\n';
  const bytes = Buffer.from(`${head}\r\nnext`, 'latin1');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
      const reader = new HeadReader();
      let at = 0;
      for (let turn = 0; at < bytes.length; turn++) {
        const piece = bytes.subarray(at, at + sizes[turn % sizes.length]!); // the array is not empty
        const found = reader.push(piece, 0);
        if (found !== undefined) {
          expect(found.text).toBe(head);
          expect(at + found.end).toBe(head.length + 2);
          expect(reader.hasBegun).toBe(false);
          return;
        }
        at += piece.length;
      }
      throw new Error('the head was never found');
    }),
  );
});

test('two heads in one piece come one after the other', () => {
  const reader = new HeadReader();
  const bytes = Buffer.from('A\r\n\r\nB\r\n\r\n');
  const first = reader.push(bytes, 0);
  expect(first).toEqual({ text: 'A\r\n', end: 5 });
  expect(reader.push(bytes, 5)).toEqual({ text: 'B\r\n', end: 10 });
});

test.each([1, 2, 3])('a body with bare LFs is not read as part of a head whose end is cut after byte %d', (cut) => {
  const bytes = Buffer.from('POST / HTTP/1.1\r\n\r\none\ntwo\n');
  const end = 'POST / HTTP/1.1\r\n\r\n'.length;
  const reader = new HeadReader();
  expect(reader.push(bytes.subarray(0, end - 4 + cut), 0)).toBeUndefined();
  expect(reader.push(bytes.subarray(end - 4 + cut), 0)).toEqual({ text: 'POST / HTTP/1.1\r\n', end: 4 - cut });
});

describe('a head that is too long', () => {
  const line = `X: ${'a'.repeat(1000)}\r\n`;
  const long = Buffer.from(`GET / HTTP/1.1\r\n${line.repeat(40)}\r\n`);
  test('is refused in one piece', () => {
    expect(() => new HeadReader().push(long, 0)).toThrow(HttpRefusal);
  });
  test('is refused as soon as it exceeds the limit, not when it ends', () => {
    const reader = new HeadReader();
    expect(() => {
      for (let at = 0; at < MAX_HEAD_BYTES + 2000; at += 1000) reader.push(long.subarray(at, at + 1000), 0);
    }).toThrow(HttpRefusal);
  });
  test.each([
    ['its address alone', `GET /${'a'.repeat(MAX_HEAD_BYTES)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['its address alone, behind an empty line', `\r\nGET /${'a'.repeat(MAX_HEAD_BYTES)} HTTP/1.1\r\n\r\n`, 414],
    ['its address and a field', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is refused with the status for: %s', (_what, text, status) => {
    const refused = expect.objectContaining({ status });
    expect(() => new HeadReader().push(Buffer.from(text), 0)).toThrow(refused);
    expect(() => {
      const reader = new HeadReader();
      for (let at = 0; at < text.length; at += 1000) reader.push(Buffer.from(text.slice(at, at + 1000)), 0);
    }).toThrow(refused);
  });
  test.each([
    ['cookies alone', [`Cookie: ${'a'.repeat(40_000)}`], true],
    ['cookies after all else', [`X: ${'a'.repeat(10_000)}`, `cookie: ${'a'.repeat(40_000)}`], true],
    ['cookies on many lines', Array.from({ length: 20 }, () => `COOKIE: ${'a'.repeat(2000)}`), true],
    ['another field', [`X: ${'a'.repeat(40_000)}`], false],
    ['another field, and some cookies', [`Cookie: ${'a'.repeat(10_000)}`, `X: ${'a'.repeat(40_000)}`], false],
    ['what only looks like cookies', [`X-Cookie: ${'a'.repeat(40_000)}`, 'Cookie: a=1'], false],
  ])('says whether cookies are the reason: %s', (_what, lines, isByCookies) => {
    const text = ['GET / HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n');
    const cookies = isByCookies ? expect.objectContaining({ hostField: 'a', target: '/' }) : undefined;
    const refused = expect.objectContaining({ status: 431, cookies });
    expect(() => new HeadReader().push(Buffer.from(text), 0)).toThrow(refused);
    expect(() => {
      const reader = new HeadReader();
      for (let at = 0; at < text.length; at += 1000) reader.push(Buffer.from(text.slice(at, at + 1000)), 0);
    }).toThrow(refused);
  });
  test('names all its cookies, however it is cut', () => {
    const name = (index: number) => `b${index}`;
    const pairs = Array.from({ length: 60 }, (_, index) => `${name(index)}=${'x'.repeat(3900)}`);
    const text = [
      'GET /a/b?c HTTP/1.1',
      ...['Host: console.example.com:8080', `Cookie: sessionid=short; ${pairs.join('; ')}; bad name=1`],
      ...['Accept: text/html;q=0.9', '', 'next'],
    ].join('\r\n');
    for (const size of [text.length, 65_536, 8_191, 1_460]) {
      const reader = new HeadReader();
      const push = () => {
        for (let at = 0; at < text.length; at += size) reader.push(Buffer.from(text.slice(at, at + size)), 0);
      };
      let refusal: unknown;
      try {
        push();
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toMatchObject({
        status: 431,
        cookies: { hostField: 'console.example.com:8080', target: '/a/b?c' },
      });
      const { cookies } = (refusal as HttpRefusal).cookies!;
      expect(cookies.map((cookie) => cookie.name)).toEqual(['sessionid', ...pairs.map((_pair, index) => name(index))]);
    }
  });
  test('is refused when its cookies never end', () => {
    const reader = new HeadReader();
    reader.push(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nCookie: a='), 0);
    const endless = Buffer.from('x'.repeat(60_000));
    expect(() => {
      for (let turn = 0; turn < 30; turn++) reader.push(endless, 0);
    }).toThrow(expect.objectContaining({ status: 431 }));
  });
  test('is accepted when it is exactly as long as the limit', () => {
    const filler = 'a'.repeat(MAX_HEAD_BYTES - 'GET / HTTP/1.1\r\nX: \r\n\r\n'.length);
    const exact = Buffer.from(`GET / HTTP/1.1\r\nX: ${filler}\r\n\r\n`);
    expect(new HeadReader().push(exact, 0)?.end).toBe(MAX_HEAD_BYTES);
    const reader = new HeadReader();
    expect(reader.push(exact.subarray(0, -1), 0)).toBeUndefined();
    expect(reader.push(exact.subarray(-1), 0)?.end).toBe(1);
  });
});

describe('bytes that can never become a head are refused at once', () => {
  test.each([
    ['a TLS handshake', Buffer.from([0x16, 3, 1, 2, 0])],
    ['a bare LF', Buffer.from('GET / HTTP/1.1\nHost: a\n\n')],
    ['binary', Buffer.from([0, 1, 2])],
  ])('%s', (_what, bytes) => {
    expect(() => new HeadReader().push(bytes, 0)).toThrow(HttpRefusal);
  });
});
