import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertDomain } from './testing/acme-world.ts';
import { syncWantedCertificates } from './wanted-store.ts';

test('a certificate is wanted as soon as the domain leads here, not before', async () => {
  await using t = await openTestDb();
  const { mappingId } = await insertDomain(t, 'nas.example.net');
  const wanted = async () => {
    await syncWantedCertificates(t.db, []);
    return await t.db.selectFrom('certificate').where('wanted', '=', true).select('subject').execute();
  };
  const setReady = async (readyAt: Date | null) =>
    await t.db.updateTable('domainCheck').set({ readyAt }).where('mappingId', '=', mappingId).execute();

  await setReady(null);
  expect(await wanted()).toEqual([]);
  await setReady(new Date());
  expect(await wanted()).toEqual([{ subject: 'nas.example.net' }]);
  await t.db.updateTable('mapping').set({ customDomain: 'cam.example.net' }).execute();
  expect(await wanted()).toEqual([]);
});
