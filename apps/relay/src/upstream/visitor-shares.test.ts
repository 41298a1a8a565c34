import { expect, test } from 'vitest';
import type { Grant } from '../access/judge-access.ts';
import { QueuedStream } from './queued-stream.ts';
import { noUpstreamEvents, type UpstreamStream } from './upstream-stream.ts';
import { VisitorShares } from './visitor-shares.ts';

const address = '192.0.2.1';
const waiting = { connection: {}, hasBody: false };

test('a waiter that throws keeps nobody else waiting', () => {
  const shares = new VisitorShares(1, { maxWaiting: 10 });
  const begun: string[] = [];
  shares.enter(address);
  shares.wait(address, waiting, () => {
    shares.leave(address); // as a stream does that is closed at once
    throw new Error('a fault');
  });
  shares.wait(address, waiting, () => begun.push('second'));
  shares.wait(address, waiting, () => begun.push('third'));

  expect(() => shares.leave(address)).toThrow('a fault');
  expect(begun).toEqual(['second']);
  shares.leave(address);
  expect(begun).toEqual(['second', 'third']);
  shares.leave(address);
  expect(shares.isFull(address)).toBe(false);
});

test('a stream that takes nothing of what waited for it is closed, and its visitor gets an answer', () => {
  const shares = new VisitorShares(1, { maxWaiting: 10 });
  const seen: string[] = [];
  const stream: UpstreamStream = {
    ...{ events: noUpstreamEvents, grant: undefined, isReused: false, queuedBytes: 0 },
    write: () => {
      throw new Error('a fault');
    },
    reset: () => {
      seen.push('reset');
      shares.leave(address);
    },
    ...{ end() {}, consumed() {}, release() {} },
  };
  shares.enter(address);
  const queued = new QueuedStream({ shares, address, waiting, open: () => stream, onLeft() {} });
  queued.grant = { address } as Grant; // the only part that is used here
  queued.events = { ...noUpstreamEvents, onFailed: (failure) => void seen.push(failure) };
  queued.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));

  shares.leave(address);
  expect(seen).toEqual(['reset', 'lost']);
  expect(shares.isFull(address)).toBe(false);
});
