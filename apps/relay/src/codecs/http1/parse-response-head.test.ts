import { describe, expect, test } from 'vitest';
import { HttpRefusal } from '../http/http-refusal.ts';
import { parseResponseHead } from './parse-response-head.ts';

const parse = (method: string, ...lines: string[]) =>
  parseResponseHead(lines.map((line) => `${line}\r\n`).join(''), method);

describe('where the body of an answer ends', () => {
  test.each([
    ['GET', ['HTTP/1.1 200 OK', 'Content-Length: 3'], { type: 'length', length: 3 }],
    ['GET', ['HTTP/1.1 200 OK', 'Transfer-Encoding: Chunked'], { type: 'chunked' }],
    ['GET', ['HTTP/1.1 200 OK'], { type: 'until-close' }],
    ['HEAD', ['HTTP/1.1 200 OK', 'Content-Length: 3'], { type: 'none' }],
    ['GET', ['HTTP/1.1 204 No Content'], { type: 'none' }],
    ['GET', ['HTTP/1.1 304 Not Modified', 'Content-Length: 3'], { type: 'none' }],
    ['GET', ['HTTP/1.1 100 Continue'], { type: 'none' }],
    ['GET', ['HTTP/1.1 100 Continue', 'Content-Length: 0'], { type: 'none' }],
  ])('%s answered with %j', (method, lines, framing) => {
    expect(parse(method, ...lines).framing).toEqual(framing);
  });
});

test('a status line may lack its reason', () => {
  expect(parse('GET', 'HTTP/1.1 200', 'Content-Length: 0')).toMatchObject({ status: 200, reason: '' });
});

test('a connection is reused only when the end of its answer is known and no side closes it', () => {
  expect(parse('GET', 'HTTP/1.1 200 OK', 'Content-Length: 0').keepsAlive).toBe(true);
  expect(parse('GET', 'HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: close').keepsAlive).toBe(false);
  expect(parse('GET', 'HTTP/1.1 200 OK', 'Content-Length: 0', 'Proxy-Connection: close').keepsAlive).toBe(false);
  expect(parse('GET', 'HTTP/1.0 200 OK', 'Content-Length: 0').keepsAlive).toBe(false);
  expect(parse('GET', 'HTTP/1.0 200 OK', 'Content-Length: 0', 'Connection: keep-alive').keepsAlive).toBe(true);
  expect(parse('GET', 'HTTP/1.1 200 OK').keepsAlive).toBe(false);
});

const ok = 'HTTP/1.1 200 OK';

describe('an improper answer is read as browsers read it, and its connection is not reused', () => {
  test.each([
    ['HTTP/1.1  200 OK', 200, 'OK'],
    ['HTTP/1.1 200\tOK', 200, 'OK'],
    ['HTTP/1.1 200OK', 200, 'OK'],
    ['HTTP/1 404 Not Found', 404, 'Not Found'],
    ['HTTP 200', 200, ''],
    ['HTTP/1.2 200 OK', 200, 'OK'],
    ['HTTP/0.9 200 OK', 200, 'OK'],
    ['HTTP/2 200 OK', 200, 'OK'],
    ['http/1.0 200 ok', 200, 'ok'],
    ['ICY 200 OK', 200, 'OK'],
    ['HTTP/1.1 200 O\x01\rK', 200, 'O  K'],
    ['HTTP/1.1 999 Beyond', 500, 'Beyond'],
    ['\r\nHTTP/1.1 200 OK', 200, 'OK'],
    ['HTTP/1.1 200 OK\n', 200, 'OK'],
  ])('the status line %j', (line, status, reason) => {
    const head = parse('GET', line, 'Content-Length: 0');
    expect(head).toMatchObject({ status, reason, framing: { type: 'length', length: 0 } });
    expect(head).toMatchObject({ keepsAlive: false, isRepaired: true });
  });

  test.each([
    [['X-A : 1'], { 'x-a': '1' }],
    [['X-A: 1\nX-B: 2'], { 'x-a': '1', 'x-b': '2' }],
    [['X-A: 1', ' 2', '\t 3 '], { 'x-a': '1 2 3' }],
    [[' X-A: 1', 'X-B: 2'], { 'x-b': '2' }],
    [['X-A 1', ' and on', 'X-B: 2'], { 'x-b': '2' }],
    [[': 1', 'X A: 2', 'X(A): 3', 'X\xe9: 4', 'X-B: 2'], { 'x-b': '2' }],
    [['X-A: a\rb\x01\x7fc\r'], { 'x-a': 'a b  c' }],
    [['X-A: a\rSet-Cookie: b=1'], { 'x-a': 'a Set-Cookie: b=1' }],
  ])('the fields %j', (lines, fields) => {
    const head = parse('GET', ok, ...lines);
    expect(Object.fromEntries(head.fields.map(({ key, value }) => [key, value]))).toEqual(fields);
    expect(head).toMatchObject({ keepsAlive: false, isRepaired: true });
  });

  test.each([
    [['Content-Length: 5', 'content-length : 5'], { type: 'length', length: 5 }, 'content-length: 5'],
    [['Content-Length: 5, 5'], { type: 'length', length: 5 }, 'content-length: 5'],
    [['Content-Length:', ' 5'], { type: 'length', length: 5 }, 'content-length: 5'],
    [['Transfer-Encoding: chunked\t'], { type: 'chunked' }, 'transfer-encoding: chunked'],
    [['Transfer-Encoding: , Chunked,'], { type: 'chunked' }, 'transfer-encoding: chunked'],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], { type: 'chunked' }, 'transfer-encoding: chunked'],
    [['Content-Length: 1', 'Transfer-Encoding: chunked'], { type: 'chunked' }, 'transfer-encoding: chunked'],
    [['Transfer-Encoding: identity', 'Content-Length: 5'], { type: 'length', length: 5 }, 'content-length: 5'],
    [['Transfer-Encoding:', 'Content-Length: 5'], { type: 'length', length: 5 }, 'content-length: 5'],
    [['Transfer-Encoding: identity'], { type: 'until-close' }, undefined],
  ])('where the body ends: %j', (lines, framing, written) => {
    const head = parse('GET', ok, ...lines);
    expect(head).toMatchObject({ framing, keepsAlive: false, isRepaired: true });
    const framings = head.fields.filter(({ key }) => key === 'content-length' || key === 'transfer-encoding');
    expect(framings.map(({ key, value }) => `${key}: ${value}`)).toEqual(written === undefined ? [] : [written]);
  });

  test('chunks in HTTP/1.0', () => {
    expect(parse('GET', 'HTTP/1.0 200 OK', 'Transfer-Encoding: chunked').framing).toEqual({ type: 'chunked' });
  });
});

test('an answer may have more fields than a request', () => {
  const fields = Array.from({ length: 1500 }, (_, at) => `X-${at}: ${at}`);
  expect(parse('GET', ok, ...fields)).toMatchObject({ isRepaired: false, keepsAlive: false });
  expect(parse('GET', ok, ...fields).fields).toHaveLength(1500);
});

test('an improper head of any content is read in a moment', { timeout: 10_000 }, () => {
  const bytes = 64 * 1024;
  for (const part of ['\r', ' ', ' \n', 'a\n', ':\n', 'a:\n', 'Connection:a\n', ',', '\t:', 'X:\r'])
    expect(() => parse('GET', `${ok}\nX-A: ${part.repeat(bytes / part.length)}`, 'Content-Length: x')).toThrow(
      HttpRefusal,
    );
});

describe('an ambiguous answer is refused', () => {
  test.each([
    [[ok, 'Content-Length: 1', 'Content-Length: 2']],
    [[ok, 'Content-Length: 5', 'Content-Length: 05']],
    [[ok, 'Content-Length: 5,']],
    [[ok, 'Content-Length: +5']],
    [[ok, 'Content-Length: 5 bytes']],
    [[ok, 'Content-Length: -1']],
    [[ok, 'Content-Length:']],
    [[ok, 'Content-Length: 5\r6']],
    [['HTTP/1.1 304 Not Modified', 'Content-Length: 1', 'Content-Length: 2']],
    [[ok, 'Content-Length: 1', 'Content-Length: 2', 'Transfer-Encoding: chunked']],
    [[ok, 'Transfer-Encoding: gzip, chunked']],
    [[ok, 'Transfer-Encoding: chunked, identity']],
    [[ok, 'Transfer-Encoding: "chunked"']],
    [[ok, 'Transfer-Encoding: chunked;']],
    [[ok, 'Transfer-Encoding: binary', 'Content-Length: 5']],
    [['HTTP/1.0 200 OK', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 104 Early', 'Content-Length: 5']],
    [['HTTP/1.1 103 Early Hints', 'Transfer-Encoding: chunked']],
    [[ok, 'Transfer-Encoding\x0b: chunked']],
    [[ok, 'X\rTransfer-Encoding: chunked']],
    [[ok, 'X-A: a\rTransfer-Encoding: chunked']],
    [[ok, 'X-A\rContent-Length 5']],
    [['HTTP/1.1 200 OK\rContent-Length: 5']],
    [[ok, 'X-A: a\0b']],
    [['HTTP/1.1 200 O\0K']],
    [['HTTP/1.1 20 OK']],
    [['HTTP/1.1 2000 OK']],
    [['HTTP/1.1 000 OK']],
    [['HTTP/1.1']],
    [['HTTP/1.1200 OK']],
    [['HTTPS/1.1 200 OK']],
    [['Content-Length: 0']],
  ])('%j', (lines) => {
    expect(() => parse('GET', ...lines)).toThrow(HttpRefusal);
  });
});
