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

describe('an ambiguous answer is refused', () => {
  test.each([
    [['HTTP/1.1 200 OK', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2']],
    [['HTTP/1.1 304 Not Modified', 'Content-Length: 1', 'Content-Length: 2']],
    [['HTTP/1.1 200 OK', 'Transfer-Encoding: identity']],
    [['HTTP/1.0 200 OK', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 104 Early', 'Content-Length: 5']],
    [['HTTP/1.1 103 Early Hints', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked\t']],
    [['HTTP/1.1 200 OK', 'X-A : 1']],
    [['HTTP/1.1 200 OK', 'X-A: 1\nSet-Cookie: a=1']],
    [['HTTP/1.1 20 OK']],
    [['HTTP/1.1 600 Beyond']],
    [['HTTP/2 200 OK']],
    [['ICY 200 OK']],
  ])('%j', (lines) => {
    expect(() => parse('GET', ...lines)).toThrow(HttpRefusal);
  });
});
