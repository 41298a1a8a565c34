import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  claimAnswer,
  claimDrawing,
  expireOpen,
  expireOpenGentle,
  insertChallenge,
  saveAnswer,
} from './challenge-store.ts';

const owner = { browserHash: Buffer.alloc(32, 1), network: '203.0.113.1' };
const challenge = { ...owner, key: 'key', type: 'slide', purpose: 'login' } as const;
const answer = { type: 'slide', at: { x: 100, y: 60 } } as const;

test.each([
  ['a new picture for its browser', expireOpen],
  [
    'a wrong answer from its network',
    async (...[db]: Parameters<typeof expireOpen>) => await expireOpenGentle(db, owner.network),
  ],
] as const)('a challenge that is expired by %s during its drawing stays expired', async (_, end) => {
  await using t = await openTestDb();
  await insertChallenge(t.db, challenge, 600);
  expect(await claimDrawing(t.db, 'key', owner)).toBe('slide');

  await end(t.db, challenge);

  expect(await saveAnswer(t.db, 'key', answer, 120)).toBeUndefined();
  expect(await claimAnswer(t.db, 'key', owner)).toBeUndefined();
});
