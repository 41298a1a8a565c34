import { expect, test } from 'vitest';
import { heldBytes } from './held-bytes.ts';

const MB = 1_000_000;

test('buffers that nobody has any more are not counted', () => {
  const before = heldBytes();
  for (let time = 0; time < 5; time++) {
    let buffers: Buffer[] | undefined = Array.from({ length: 300 }, () => Buffer.alloc(MB / 10, 'x'));
    expect(heldBytes() - before).toBeGreaterThan(buffers.length * 0.1 * MB - MB);
    buffers = undefined;
    expect(heldBytes() - before).toBeLessThan(MB);
  }
});
