import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { claimDueCertificate, recordFailure, secondsUntilDue } from './certificate-store.ts';
import { insertDomain } from './testing/acme-world.ts';
import { syncWantedCertificates } from './wanted-store.ts';

const failure = { problem: 'connection-failed', detail: '', retryInMs: 3_600_000, dropsOrder: true } as const;

/** Lets every due certificate fail. Returns the names in the order of the attempts. */
async function failDueCertificates(t: TestDb): Promise<string[]> {
  const tried: string[] = [];
  for (;;) {
    const claimed = await claimDueCertificate(t.db, 'test');
    if (claimed === undefined) return tried;
    await recordFailure(t.db, { id: claimed.id, claim: 'test' }, failure);
    tried.push(claimed.subject);
  }
}

async function insertDomains(t: TestDb, first: number, count: number, owner: number): Promise<void> {
  for (let index = first; index < first + count; index++) await insertDomain(t, `n${index}.example.com`, { owner });
  await syncWantedCertificates(t.db, []);
}

async function removeDomains(t: TestDb): Promise<void> {
  await t.db.deleteFrom('mapping').execute();
  await syncWantedCertificates(t.db, []);
}

test('an owner whose domains fail gains no attempts by removing them and adding others', async () => {
  await using t = await openTestDb();
  const { userId: owner } = await insertDomain(t, 'n0.example.com');
  await insertDomains(t, 1, 19, owner);
  expect(await failDueCertificates(t)).toHaveLength(20);

  await removeDomains(t);
  await insertDomains(t, 20, 20, owner);
  await insertDomain(t, 'other-owner.example.com');
  await syncWantedCertificates(t.db, []);
  expect(await failDueCertificates(t)).toEqual(['other-owner.example.com']);
  expect(await secondsUntilDue(t.db)).toBeGreaterThan(60);
});

test('failures of removed domains count for a week', async () => {
  await using t = await openTestDb();
  const { userId: owner } = await insertDomain(t, 'n0.example.com');
  await insertDomains(t, 1, 19, owner);
  await failDueCertificates(t);
  await t.db
    .updateTable('certificate')
    .set({ nextTryAt: sql<Date>`now() - interval '6 days'` })
    .execute();
  await sql`update certificate set created_at = now() - interval '30 days'`.execute(t.db);
  await removeDomains(t);
  await insertDomains(t, 20, 1, owner);
  expect(await failDueCertificates(t)).toEqual([]);

  await t.db
    .updateTable('certificate')
    .set({ nextTryAt: sql<Date>`now() - interval '8 days'` })
    .where('wanted', '=', false)
    .execute();
  await syncWantedCertificates(t.db, []);
  expect(await failDueCertificates(t)).toEqual(['n20.example.com']);
});

test('a domain that changes its owner counts for the new owner', async () => {
  await using t = await openTestDb();
  const { userId: before } = await insertDomain(t, 'n0.example.com');
  await insertDomains(t, 1, 19, before);
  await failDueCertificates(t);
  await t.db.deleteFrom('mapping').execute();
  const { userId: after } = await insertDomain(t, 'n0.example.com');
  await insertDomains(t, 1, 19, after);

  await insertDomain(t, 'of-before.example.com', { owner: before });
  await insertDomain(t, 'of-after.example.com', { owner: after });
  await syncWantedCertificates(t.db, []);
  expect(await failDueCertificates(t)).toEqual(['of-before.example.com']);
});

test('repeated synchronisation uses up no ids', async () => {
  await using t = await openTestDb();
  await insertDomain(t, 'nas.example.com');
  const planned = [{ subject: 'example.com', names: ['example.com'], challenge: 'http-01' as const }];
  for (let run = 0; run < 5; run++) await syncWantedCertificates(t.db, planned);
  await insertDomain(t, 'cam.example.com');
  await syncWantedCertificates(t.db, planned);
  const rows = await t.db.selectFrom('certificate').select(['id', 'subject']).orderBy('id').execute();
  expect(rows).toEqual([
    { id: 1, subject: 'example.com' },
    { id: 2, subject: 'nas.example.com' },
    { id: 3, subject: 'cam.example.com' },
  ]);
});
