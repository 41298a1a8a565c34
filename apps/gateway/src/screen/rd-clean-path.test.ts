import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeDer, derLength, encodeDer } from '../encoding/der.ts';
import { cleanPathAnswer, cleanPathFailure, parseCleanPathRequest } from './rd-clean-path.ts';
import { cleanPathRequest } from './testing/rdp-client.ts';

const x224 = Buffer.from('030000130ee000000000000100080001000000', 'hex');
const [SEQUENCE, OCTET_STRING] = [0x30, 0x04];

test.each([0, 1, 127, 128, 255, 256, 65_535])('an element of %i bytes is read as it was written', (length) => {
  const element = encodeDer(OCTET_STRING, Buffer.alloc(length, 7));
  expect(derLength(element)).toBe(element.length);
  expect(decodeDer(element)).toEqual([{ tag: OCTET_STRING, content: Buffer.alloc(length, 7) }]);
});

test('the request of the browser is its X.224 message; where it wants to go does not count', () => {
  expect(parseCleanPathRequest(cleanPathRequest(x224))).toEqual(x224);
});

test('an answer has the confirm and the certificates, a failure its code', () => {
  const [answer] = decodeDer(cleanPathAnswer(x224, [Buffer.alloc(900, 1)], '192.168.1.10:3389'));
  expect(answer?.tag).toBe(SEQUENCE);
  expect(decodeDer(answer?.content ?? Buffer.alloc(0)).map(({ tag }) => tag & 0x1f)).toEqual([0, 6, 7, 9]);
  const [failure] = decodeDer(cleanPathFailure(2, x224));
  expect(decodeDer(failure?.content ?? Buffer.alloc(0)).map(({ tag }) => tag & 0x1f)).toEqual([0, 1, 6]);
});

test('a request that is cut anywhere, or in which any byte is another one, never crashes', () => {
  const request = cleanPathRequest(x224);
  for (let cut = 0; cut < request.length; cut++)
    expect(parseCleanPathRequest(request.subarray(0, cut))).toBeUndefined();
  for (let at = 0; at < request.length; at++) {
    for (const value of [0, 0x30, 0x7f, 0x80, 0x84, 0xa6, 0xff]) {
      const changed = Buffer.from(request);
      changed[at] = value;
      const parsed = parseCleanPathRequest(changed);
      expect(parsed === undefined || parsed.length <= request.length).toBe(true);
    }
  }
});

test('random bytes are no request, and the length that they claim is a number or a RangeError', () => {
  for (let round = 0; round < 5_000; round++) {
    const bytes = randomBytes(randomInt(64));
    const parsed = parseCleanPathRequest(bytes);
    expect(parsed === undefined || parsed.length <= bytes.length).toBe(true);
    try {
      const length = derLength(bytes);
      expect(length === undefined || (length >= 2 && length < 0x1_00_00_10)).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});
