import { expect, test } from 'vitest';
import { HeldInput } from './held-input.ts';
import type { Shell } from './shell.ts';

test('what is typed byte by byte, and not taken by the target, waits in few pieces and is then sent whole', () => {
  const writes: Buffer[] = [];
  const shell: Shell = {
    write: (bytes) => void writes.push(bytes),
    get unsentBytes() {
      return Buffer.concat(writes).length;
    },
    resize: () => {},
    pause: () => {},
    resume: () => {},
  };
  const held = new HeldInput();
  const typed = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251));
  held.write(shell, typed.subarray(0, 10_000));
  for (const byte of typed.subarray(10_000)) held.write(shell, Buffer.of(byte));
  expect(writes.map(({ length }) => length)).toEqual([10_000, 4_096, 4_096]);
  expect(held.bytes).toBe(1_808);

  const sent = writes.splice(0);
  held.release(shell);
  expect(held.bytes).toBe(0);
  expect(Buffer.concat([...sent, ...writes])).toEqual(typed);
});
