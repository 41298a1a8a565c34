import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertUser } from '../../../testing/device-fixtures.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { hashInTurn, takeHashTurn, turnOf } from './hash-turns.ts';

test('an account that asks for more at once than may wait is refused, which is no wrong password; another is not', async () => {
  await using t = await openTestDb();
  const [li, wang] = [await insertUser(t.db, 'li'), await insertUser(t.db, 'wang')];
  const guess = { userId: li, sessionId: 1 };
  const held = Promise.withResolvers<void>();
  const waiting = Array.from(
    { length: 11 },
    async () => await takeHashTurn(turnOf(li), async () => await held.promise),
  );

  const tooMany = expect.objectContaining({ code: 'request.too-many' });
  await expect(checkOwnPassword(t.db, guess, 'wrong')).rejects.toEqual(tooMany);
  await expect(hashInTurn(li, 'correct horse battery')).rejects.toEqual(tooMany);
  expect(await t.db.selectFrom('rateCount').select('key').execute()).toEqual([]);

  const other = hashInTurn(wang, 'correct horse battery');
  held.resolve();
  expect(await other).toMatch(/^\$argon2id\$/);
  await Promise.all(waiting);
  await expect(checkOwnPassword(t.db, guess, 'wrong')).rejects.toMatchObject({ code: 'password.wrong' });
});
