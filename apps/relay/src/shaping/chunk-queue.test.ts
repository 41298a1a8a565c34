import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkQueue } from './chunk-queue.ts';

function takeAll(queue: ChunkQueue, maxBytes: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let piece = queue.take(maxBytes); piece !== undefined; piece = queue.take(maxBytes)) pieces.push(piece);
  return pieces;
}

test('bytes leave in the order in which they came, in pieces of any size', () => {
  const step = fc.oneof(
    fc.record({ push: fc.integer({ min: 1, max: 20_000 }) }),
    fc.record({ take: fc.integer({ min: 1, max: 20_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new ChunkQueue();
      const pushed: Buffer[] = [];
      const taken: Buffer[] = [];
      for (const [at, one] of steps.entries()) {
        if ('push' in one) {
          const chunk = Buffer.alloc(one.push, at);
          pushed.push(chunk);
          queue.push(chunk);
        } else {
          const piece = queue.take(one.take);
          expect(piece?.length ?? 1).toBeLessThanOrEqual(one.take);
          // A copy, because a later push must not change what was taken.
          if (piece !== undefined) taken.push(Buffer.from(piece));
        }
      }
      taken.push(...takeAll(queue, 1_000_000));
      expect(Buffer.concat(taken).equals(Buffer.concat(pushed))).toBe(true);
      expect(queue.bytes).toBe(0);
    }),
  );
});

test('a piece that was taken is not changed by later pushes', () => {
  const queue = new ChunkQueue();
  queue.push(Buffer.from('abc'));
  const piece = queue.take(2);
  queue.push(Buffer.from('xyz'));
  expect(piece?.toString()).toBe('ab');
  expect(Buffer.concat(takeAll(queue, 100)).toString()).toBe('cxyz');
});

test('100 000 single bytes use a few blocks', () => {
  const queue = new ChunkQueue();
  for (let count = 0; count < 100_000; count++) queue.push(Buffer.of(count % 256));
  const pieces = takeAll(queue, 1_000_000);
  expect(pieces.length).toBeLessThan(20);
  expect(Buffer.concat(pieces)).toHaveLength(100_000);
});

test('a small piece does not keep the large buffer that it was cut from in memory', () => {
  const queue = new ChunkQueue();
  const large = Buffer.alloc(65_536);
  queue.push(large.subarray(0, 100));
  expect(queue.take(100)?.buffer).not.toBe(large.buffer);
});
