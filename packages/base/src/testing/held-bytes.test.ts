import { expect, test } from 'vitest';
import { heldBytes } from './held-bytes.ts';

const MB = 1_000_000;

test('buffers that nobody has any more are not counted', () => {
  for (let time = 0; time < 3; time++) {
    // What else the worker holds may become less meanwhile.
    let buffers: Buffer[] | undefined = Array.from({ length: 600 }, () => Buffer.alloc(MB / 10, 'x'));
    const held = heldBytes();
    expect(held).toBeGreaterThan(buffers.length * 0.1 * MB);
    buffers = undefined;
    expect(held - heldBytes()).toBeGreaterThan(50 * MB);
  }
});
