import { createHash, randomBytes } from 'node:crypto';
import { seal } from '../../apps/server/src/db/sealing.ts';
import { loadSecrets } from '../../stack/src/secrets.ts';
import { openDatabase } from './neighbour.ts';
import type { Product } from './product.ts';

/** Another account of the same service that has proven this e-mail address; its password is the administrator's. */
export async function createPerson(product: Product, person: { account: string; email: string }): Promise<void> {
  const { sealingKey } = await loadSecrets(product.dataDir);
  await using database = await openDatabase(product);
  const { rows } = await database.query<{ id: number }>(
    `insert into user_account (username, password_hash, email, readed_announcement_id)
     select $1, password_hash, $2, 1000 from user_account where username = 'admin' returning id`,
    [person.account, person.email],
  );
  const [user] = rows;
  if (!user) throw new Error(`${person.account} was not created`);
  const token = `tt_${randomBytes(32).toString('base64url')}`;
  await database.query(`insert into account_token (user_id, token_hash, token_sealed) values ($1, $2, $3)`, [
    user.id,
    createHash('sha256').update(token).digest(),
    seal(sealingKey, token, `account-token:${user.id}`),
  ]);
}
