import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { SsoWaiters, type WaitClient } from './sso-waiters.ts';

const log = pino({ level: 'silent' });
const stateHash = Buffer.alloc(32, 1);

test('a process limits its waits, and those of pages of other sites separately', async () => {
  await using t = await openTestDb();
  await using waiters = await SsoWaiters.start({ listen: t.listen, log });
  const waits: Promise<unknown>[] = [];
  /** Adds waits of one network after the other until there is no more room. Returns their number. */
  const fill = (pages: WaitClient['pages'], perNetwork: number): number => {
    for (let count = 0; ; count++) {
      const network = Math.floor(count / perNetwork);
      const client = { ip: `198.18.${network >> 8}.${network & 255}`, pages };
      if (!waiters.hasRoomFor(client)) return count;
      const { signal } = new AbortController();
      waits.push(waiters.wait({ ...client, stateHash, signal, check: async () => undefined }));
    }
  };

  expect(fill('others', 10)).toBe(500);
  expect(fill('own', 50)).toBe(5_000);

  waiters.cancelAll();
  await Promise.all(waits);
  expect(waiters.hasRoomFor({ ip: '198.18.0.0', pages: 'others' })).toBe(true);
});
