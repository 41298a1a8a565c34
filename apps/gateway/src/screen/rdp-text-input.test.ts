import { expect, test } from 'vitest';
import { RdpTextInput } from './rdp-text-input.ts';

/** MS-RDPBCGR 4.1.12 has this set with flags 0x0035. */
function inputCapabilities(flags: number): Buffer {
  const set = Buffer.alloc(88);
  set.writeUInt16LE(13, 0);
  set.writeUInt16LE(88, 2);
  set.writeUInt16LE(flags, 4);
  return Buffer.concat([Buffer.alloc(50, 7), set, Buffer.alloc(50, 7)]);
}

function noticesOf(chunks: readonly Buffer[]): number {
  let notices = 0;
  const stream = new RdpTextInput(() => (notices += 1));
  const passed: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => passed.push(chunk));
  for (const chunk of chunks) stream.write(chunk);
  expect(Buffer.concat(passed)).toEqual(Buffer.concat(chunks));
  return notices;
}

test.each([
  ['keys alone', 0x0025, 1],
  ['text too', 0x0035, 0],
])('a target that takes %s is recognized, however its bytes arrive', (_what, flags, notices) => {
  const bytes = inputCapabilities(flags);
  expect(noticesOf([bytes])).toBe(notices);
  expect(noticesOf(Array.from(bytes, (byte) => Buffer.of(byte)))).toBe(notices);
});

test('what looks like it later in the session is no answer', () => {
  const [first, later] = [inputCapabilities(0x0035), inputCapabilities(0x0025)];
  expect(noticesOf([first, later])).toBe(0);
  expect(noticesOf([Buffer.alloc(300_000), later])).toBe(0);
});
