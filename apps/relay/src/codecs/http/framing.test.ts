import { describe, expect, test } from 'vitest';
import { ChunkedBody } from '../http1/chunked-body.ts';
import { createBodyReader } from '../http1/create-body-reader.ts';
import { declaredFraming } from './framing.ts';

const lengthOf = (value: string) => declaredFraming([{ name: 'Content-Length', key: 'content-length', value }], 11);

test('a length is exact up to the largest safe integer', () => {
  expect(lengthOf('9007199254740991')).toEqual({ type: 'length', length: Number.MAX_SAFE_INTEGER });
  expect(lengthOf('4294967296')).toEqual({ type: 'length', length: 2 ** 32 });
});

describe('a length beyond that, or one that is not plain digits, is refused', () => {
  test.each(['9007199254740992', '9999999999999999', '00000000000000001', '-1', '+1', '1e3', '0x10', '1 ', '', '1,1'])(
    '%s',
    (value) => expect(() => lengthOf(value)).toThrow('malformed Content-Length'),
  );
});

/** The same 16 MB again and again: what is counted is bytes that pass by, not bytes that are kept. */
const piece = Buffer.alloc(16 << 20);

test('the end of a body of more than 4 GiB is found to the byte', () => {
  const length = 5 * 2 ** 30 + 7;
  const reader = createBodyReader({ type: 'length', length });
  let passed = 0;
  while (!reader.isDone) passed += reader.take(piece, 0).end;
  expect(passed).toBe(length);
});

test('the end of a chunk of more than 4 GiB is found to the byte', () => {
  const size = 5 * 2 ** 30 + 7;
  const reader = new ChunkedBody();
  reader.take(Buffer.from(`${size.toString(16)}\r\n`), 0);
  let passed = 0;
  while (passed + piece.length <= size) passed += reader.take(piece, 0).end;
  const rest = Buffer.concat([Buffer.alloc(size - passed), Buffer.from('\r\n0\r\n\r\nnext')]);
  expect(rest.subarray(reader.take(rest, 0).end).toString()).toBe('next');
  expect(reader.isDone).toBe(true);
});
