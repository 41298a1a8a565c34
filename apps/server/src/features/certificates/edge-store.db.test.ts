import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { isCertified } from './edge-store.ts';

type Issued = { names: string[]; origin?: 'console' | 'custom_domain'; wanted?: boolean; endsInHours?: number };

async function insertIssued(db: Db, { names, origin = 'custom_domain', wanted = true, endsInHours = 1 }: Issued) {
  await sql`
    insert into certificate (subject, names, origin, challenge, wanted, issued_names, issued_by, chain, key_sealed,
      not_before, not_after)
    values (${names[0]}, ${names}, ${origin}, 'http-01', ${wanted}, ${names}, 'an authority', 'a chain', '\\x00',
      now() - interval '1 day', now() + make_interval(hours => ${endsInHours}))`.execute(db);
}

test('a name is certified while relays serve a certificate for it or for the wildcard above it', async () => {
  await using t = await openTestDb();
  await insertIssued(t.db, { names: ['*.example.com', 'example.com'], origin: 'console', wanted: false });
  await insertIssued(t.db, { names: ['home.example.net'] });
  await insertIssued(t.db, { names: ['ended.example.net'], endsInHours: -1 });
  await insertIssued(t.db, { names: ['given-up.example.net'], wanted: false });
  await sql`insert into certificate (subject, names, origin, challenge)
    values ('waiting.example.net', '{waiting.example.net}', 'custom_domain', 'http-01')`.execute(t.db);

  for (const host of ['example.com', 'nas.example.com', 'home.example.net'])
    expect(await isCertified(t.db, host)).toBe(true);
  const others = [
    'a.nas.example.com',
    'tv.example.net',
    'ended.example.net',
    'given-up.example.net',
    'waiting.example.net',
  ];
  for (const host of others) expect(await isCertified(t.db, host)).toBe(false);
});
