import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SentBytes } from './sent-bytes.ts';

test('exactly the bytes after the confirmed ones are kept', () => {
  const step = fc.record({ add: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), confirm: fc.nat({ max: 40 }) });
  fc.assert(
    fc.property(fc.array(step), fc.nat({ max: 40 }), (steps, ahead) => {
      const sent = new SentBytes({ isKeeping: true });
      let all = Buffer.alloc(0);
      let received = 0;
      for (const { add, confirm } of steps) {
        const buffers = add.map((bytes, n) => Buffer.alloc(bytes, all.length + n));
        all = Buffer.concat([all, ...buffers]);
        sent.add(buffers);
        const total = Math.min(confirm, all.length);
        expect(sent.confirmLow32(total)).toBe(total > received);
        received = Math.max(received, total);
        expect([sent.total, sent.inFlight]).toEqual([all.length, all.length - received]);
      }
      const from = Math.min(received + ahead, all.length);
      expect(Buffer.concat(sent.since(from) ?? [])).toEqual(all.subarray(from));
      expect(sent.since(all.length + 1)).toBeUndefined();
      if (from > 0) expect(sent.since(from - 1)).toBeUndefined();
    }),
  );
});

test('after more than 4 GB a confirmation of 32 bits still means what it says', () => {
  const sent = new SentBytes({ isKeeping: true });
  const chunk = Buffer.alloc(64 * 1024 * 1024);
  for (let n = 0; n < 70; n++) {
    sent.add([chunk]);
    expect(sent.confirmLow32(sent.total % 2 ** 32)).toBe(true);
    expect(sent.inFlight).toBe(0);
  }
  sent.add([Buffer.from('rest')]);
  expect(sent.confirmLow32((sent.total - 5) % 2 ** 32)).toBe(false); // older than the last one
  expect(sent.confirmLow32((sent.total + 1) % 2 ** 32)).toBe(false); // never sent
  expect(sent.since(sent.total - 4)?.map(String)).toEqual(['rest']);
});

test('a mux that cannot be resumed keeps nothing', () => {
  const sent = new SentBytes({ isKeeping: true });
  sent.add([Buffer.from('kept')]);
  sent.stopKeeping();
  sent.add([Buffer.from('not kept')]);
  expect([sent.total, sent.inFlight, sent.since(0)]).toEqual([12, 12, undefined]);
});
