import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpRefusal } from '../http/http-refusal.ts';
import { AnswerHeadReader, MAX_ANSWER_HEAD_BYTES } from './answer-head-reader.ts';

/** The head, and where it ended. */
function read(text: string, sizes: readonly number[]): { text: string; end: number } | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const reader = new AnswerHeadReader();
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const piece = bytes.subarray(at, at + sizes[turn % sizes.length]!); // the array is not empty
    const found = reader.push(piece, 0);
    expect(reader.hasBegun).toBe(found === undefined);
    if (found !== undefined) return { text: found.text, end: at + found.end };
    at += piece.length;
  }
  return undefined;
}

describe('the end of a head is found however its bytes are cut', () => {
  test.each([
    ['HTTP/1.1 200 OK\r\nX: 1\r\n', '\r\n'],
    ['HTTP/1.1 200 OK\nX: 1\n', '\n'],
    ['HTTP/1.1 200 OK\nX: 1\n', '\r\n'],
    ['HTTP/1.1 200 OK\r\nX: 1\r\n', '\n'],
    ['\r\n\r\nHTTP/1.1 200 OK\r\nX: 1\r\n', '\r\n'],
    ['\n\nHTTP/1.1 200 OK\n', '\n'],
    ['ICY 200 OK\r\n', '\r\n'],
  ])('%j %j', (lines, last) => {
    const text = last === '\n' ? lines + last : lines;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (sizes) => {
        expect(read(`${lines}${last}body\r\n\r\nand\n\nmore`, sizes)).toEqual({
          text,
          end: lines.length + last.length,
        });
      }),
    );
  });
});

test('a head may be as long as the limit, and is refused as soon as it exceeds it', () => {
  const head = (bytes: number) =>
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(bytes - 'HTTP/1.1 200 OK\r\nX: \r\n\r\n'.length)}\r\n\r\n`;
  for (const size of [1000, 2 * MAX_ANSWER_HEAD_BYTES]) {
    expect(read(head(MAX_ANSWER_HEAD_BYTES), [size])?.end).toBe(MAX_ANSWER_HEAD_BYTES);
    expect(() => read(head(MAX_ANSWER_HEAD_BYTES + 1), [size])).toThrow(HttpRefusal);
  }
});

describe('bytes that can never become a head are refused at once', () => {
  test.each(['SSH-2.0-x', '<html>', ' HTTP/1.1 200 OK', 'HTMP', '\x15\x03', '\r\n'.repeat(3), '220 mail ESMTP\r\n'])(
    '%j',
    (text) => {
      expect(() => read(text, [100])).toThrow(HttpRefusal);
      expect(() => read(text, [1])).toThrow(HttpRefusal);
    },
  );
});
