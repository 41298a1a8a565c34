import { expect, test } from 'vitest';
import { openTestDb } from './db/open-test-db.ts';
import { listCertificateStatuses } from './features/certificates/index.ts';
import { listMappingsOfDevices } from './features/mappings/index.ts';
import { listUsageOfLastDay } from './features/usage/index.ts';
import { insertHome, insertMapping } from './testing/device-fixtures.ts';

// A statement takes 65 535 parameters at most, and an account may have any number of devices with 500 mappings each.
const ids = Array.from({ length: 70_000 }, (_, n) => n + 1);

test('70 000 ids fit into one query', async () => {
  await using t = await openTestDb();
  const home = await insertHome(t.db);
  const id = await insertMapping(t.db, { ...home, prefix: 'nas' });

  expect(await listMappingsOfDevices(t.db, ids)).toMatchObject([{ id }]);
  expect(await listUsageOfLastDay(t.db, ids)).toEqual(new Map());
  const domains = ids.map((n) => `nas${n}.example.net`);
  expect(await listCertificateStatuses(t.db, domains)).toEqual(new Map());
});
