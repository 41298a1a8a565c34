import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from './neighbour.ts';
import type { Product } from './product.ts';

/** Another account of the same service that has proven this e-mail address; its password is the administrator's. */
export async function createPerson(product: Product, person: { account: string; email: string }): Promise<void> {
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
    await seal(product, token, `account-token:${user.id}`),
  ]);
}

/** As the product seals what it keeps, with the key of its data folder. */
async function seal({ dataDir }: Product, text: string, purpose: string): Promise<Buffer> {
  const secrets: unknown = JSON.parse(await readFile(path.join(dataDir, 'secrets.json'), 'utf8'));
  const { sealingKey } = secrets as { sealingKey: string }; // the product's own file
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(sealingKey, 'base64url'), nonce);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}
