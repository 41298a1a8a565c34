import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import {
  claimAnswering,
  claimDrawing,
  endOpen,
  endOpenGentle,
  insertChallenge,
  keepAnswer,
} from './challenge-store.ts';

const bearer = { browserHash: Buffer.alloc(32, 1), network: '203.0.113.1' };
const challenge = { ...bearer, key: 'key', type: 'slide', purpose: 'login' } as const;
const answer = { type: 'slide', at: { x: 100, y: 60 } } as const;

test.each([
  ['another picture of its browser', endOpen],
  [
    'a wrong answer of its network',
    async (...[db]: Parameters<typeof endOpen>) => await endOpenGentle(db, bearer.network),
  ],
] as const)('a challenge that is ended by %s while it is drawn stays ended', async (_, end) => {
  await using t = await openTestDb();
  await insertChallenge(t.db, challenge, 600);
  expect(await claimDrawing(t.db, 'key', bearer)).toBe('slide');

  await end(t.db, challenge);

  expect(await keepAnswer(t.db, 'key', answer, 120)).toBeUndefined();
  expect(await claimAnswering(t.db, 'key', bearer)).toBeUndefined();
});
