import { describe, expect, test } from 'vitest';
import { ChunkedBody } from './chunked-body.ts';
import { chunkedBytes } from './chunked-bytes.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

function read(text: string, pieceBytes = text.length) {
  const payload: Buffer[] = [];
  const body = new ChunkedBody();
  const bytes = Buffer.from(text, 'latin1');
  let at = 0;
  while (at < bytes.length && !body.isDone) {
    const piece = bytes.subarray(at, at + pieceBytes);
    const part = body.take(piece, 0);
    const used = part.end;
    payload.push(part.payload);
    at += used;
    if (used < piece.length) break;
  }
  return { isDone: body.isDone, used: at, payload: Buffer.concat(payload).toString('latin1') };
}

test('the end is found wherever the bytes are cut, and no byte after it is consumed', () => {
  const text = 'A;x=y;z="q q"\r\n0123456789\r\n0003\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n';
  for (let pieceBytes = 1; pieceBytes <= text.length + 9; pieceBytes++) {
    expect(read(`${text}GET / HTT`, pieceBytes)).toEqual({ isDone: true, used: text.length, payload: '0123456789abc' });
  }
});

test('the payload of many chunks of any length in one read is complete and in order', () => {
  const pieces = [1, 2, 64, 65, 300, 1, 5000].map((length, at) => String(at).repeat(length));
  const text = `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
  expect(read(text).payload).toBe(pieces.join(''));
});

test('a part of a body becomes one chunk, and stays as it is where it came in chunks', () => {
  const trailers = [{ name: 'X-Sum', key: 'x-sum', value: '9' }];
  const whole = chunkedBytes({ payload: Buffer.from('x'.repeat(300)), trailers });
  expect(whole.toString()).toBe(`12c\r\n${'x'.repeat(300)}\r\n0\r\nX-Sum: 9\r\n\r\n`);
  const extended = Buffer.from('03;a=b\r\nabc\r\n1\r\nd\r\n00\r\n\r\n');
  const part = new ChunkedBody().take(extended, 0);
  expect([part.payload.toString(), chunkedBytes(part)]).toEqual(['abcd', extended]);
  expect(chunkedBytes({ payload: Buffer.alloc(0), trailers: undefined })).toHaveLength(0);
});

test('a body that is cut short is incomplete', () => {
  expect(read('3\r\nab').isDone).toBe(false);
  expect(read('0\r\n').isDone).toBe(false);
});

describe('malformed chunks are refused', () => {
  test.each([
    ['no size', '\r\n'],
    ['a sign', '+1\r\na\r\n'],
    ['a prefix', '0x1\r\na\r\n'],
    ['a blank after the size', '1 \r\na\r\n'],
    ['a blank before the size', ' 1\r\na\r\n'],
    ['a bare LF after the size', '1\na\r\n'],
    ['a bare LF after the data', '1\r\na\n'],
    ['more data than the size says', '1\r\nab\r\n'],
    ['a size beyond what can be counted', '10000000000000\r\n'],
    ['a bare LF in an extension', '1;a\nb\r\na\r\n'],
    ['a nameless extension', '1;\r\na\r\n'],
    ['a control character in an extension', '1;a=\x00\r\na\r\n'],
    ['an endless extension', `1;${'a'.repeat(300)}\r\na\r\n`],
    ['a trailer that would frame', '0\r\nContent-Length: 5\r\n\r\n'],
    ['a trailer that would route', '0\r\nHost: other\r\n\r\n'],
    ['a trailer that would vouch', '0\r\nX_Forwarded_For: 1.2.3.4\r\n\r\n'],
    ['a trailer that would name the client', '0\r\nTrue-Client-IP: 1.2.3.4\r\n\r\n'],
    ['a folded trailer', '0\r\nX-A: 1\r\n b\r\n\r\n'],
    ['a bare LF in a trailer', '0\r\nX-A: 1\n\r\n'],
    ['endless trailers', `0\r\n${'X-A: 1\r\n'.repeat(5000)}`],
  ])('%s', (_what, text) => {
    expect(() => read(text)).toThrow(HttpRefusal);
  });
});

/** What an answer's body becomes for an HTTP/1 visitor, when its bytes come in pieces of that length. */
function repaired(text: string, pieceBytes: number) {
  const body = new ChunkedBody({ repairs: true });
  const bytes = Buffer.from(text, 'latin1');
  const chunks: Buffer[] = [];
  const payload: Buffer[] = [];
  let at = 0;
  while (at < bytes.length && !body.isDone) {
    const part = body.take(bytes.subarray(at, at + pieceBytes), 0);
    chunks.push(chunkedBytes(part));
    payload.push(part.payload);
    at += part.end;
  }
  const { isDone, isRepaired } = body;
  const sent = Buffer.concat(chunks).toString('latin1');
  return { isDone, isRepaired, used: at, payload: Buffer.concat(payload).toString('latin1'), sent };
}

describe('of an answer, improper chunks are read as browsers read them, and passed on as proper ones', () => {
  const proper = '5\r\nhello\r\n0\r\n\r\n';
  test.each([
    ['bare LFs', '5\nhello\n0\n\n', proper],
    ['padded sizes', '5   \r\nhello\r\n0 \t\r\n\r\n', proper],
    ['a padded size and a bare LF', '5 \nhello\r\n0\r\n\n', proper],
    ['an extension behind blanks', '5 ;a\r\nhello\r\n0\r\n\r\n', '5;a\r\nhello\r\n0\r\n\r\n'],
    ['odd extensions', '5 ; a = b ;;\xe9\r\nhello\r\n0;\n\r\n', proper],
    ['a trailer without a colon', '5\r\nhello\r\n0\r\nX-T\r\n\r\n', proper],
    ['trailers that may not be', '5\r\nhello\r\n0\r\nHost: a\r\nContent-Length: 5\r\n\r\n', proper],
    ['folded trailers with bare LFs', '5\r\nhello\r\n0\nX-T : a\n b\n\n', '5\r\nhello\r\n0\r\nX-T: a b\r\n\r\n'],
  ])('%s', (_what, text, sent) => {
    for (let pieceBytes = 1; pieceBytes <= text.length + 4; pieceBytes++) {
      expect(repaired(`${text}next`, pieceBytes)).toEqual({
        isDone: true,
        isRepaired: true,
        used: text.length,
        payload: 'hello',
        sent,
      });
    }
  });

  test('proper ones stay as they are', () => {
    const text = '05;a="b c"\r\nhello\r\n0\r\nX-T: 1\r\n\r\n';
    for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes++) {
      const expected = { isDone: true, isRepaired: false, sent: text };
      expect(repaired(text, pieceBytes)).toMatchObject(expected);
    }
  });

  test.each([
    ['a blank before the size', ' 5\r\nhello\r\n0\r\n\r\n'],
    ['something else after the size', '5 x\r\nhello\r\n0\r\n\r\n'],
    ['a bare CR after the size', '5\r\r\nhello\r\n0\r\n\r\n'],
    ['a bare CR in an extension', '5;a\rb\r\nhello\r\n0\r\n\r\n'],
    ['no line end after the data', '5\r\nhello0\r\n\r\n'],
    ['two line ends after the data', '5\nhello\n\n0\n\n'],
    ['a NUL in a trailer', '0\r\nX-T: \0\r\n\r\n'],
    ['an endless extension', `5;${'a'.repeat(300)}\r\nhello`],
    ['endless trailers', `0\n${'X-A: 1\n'.repeat(6000)}`],
  ])('what readers do not agree about is refused: %s', (_what, text) => {
    expect(() => repaired(text, text.length)).toThrow(HttpRefusal);
    expect(() => repaired(text, 1)).toThrow(HttpRefusal);
  });
});
