import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertUser } from '../../../testing/device-fixtures.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { hashQueued, queueHashing, queueOwner } from './hash-queue.ts';

test('an account with a full hash queue is refused without counting a wrong password, and other accounts are not affected', async () => {
  await using t = await openTestDb();
  const [li, wang] = [await insertUser(t.db, 'li'), await insertUser(t.db, 'wang')];
  const guess = { userId: li, sessionId: 1 };
  const held = Promise.withResolvers<void>();
  const waiting = Array.from(
    { length: 11 },
    async () => await queueHashing(queueOwner(li), async () => await held.promise),
  );

  const tooMany = expect.objectContaining({ code: 'request.too-many' });
  await expect(checkOwnPassword(t.db, guess, 'wrong')).rejects.toEqual(tooMany);
  await expect(hashQueued(li, 'correct horse battery')).rejects.toEqual(tooMany);
  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([]);

  const other = hashQueued(wang, 'correct horse battery');
  held.resolve();
  expect(await other).toMatch(/^\$argon2id\$/);
  await Promise.all(waiting);
  await expect(checkOwnPassword(t.db, guess, 'wrong')).rejects.toMatchObject({ code: 'password.wrong' });
});
