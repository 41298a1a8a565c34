import { createHmac } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { getOrInsertSetting } from './installation-store.ts';

/** Whether this key sealed the secrets of this database. With another key no account would be usable. */
export async function isKeyOfDatabase(db: Db, sealingKey: Buffer): Promise<boolean> {
  const fingerprint = createHmac('sha256', sealingKey).update('tongtu key check').digest('base64url');
  return (await getOrInsertSetting(db, 'key_check', fingerprint)) === fingerprint;
}
