import { X509Certificate, createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { readEdge } from './read-edge.ts';
import { openAcmeWorld, sealingKey, startTestKeeper, whenCertificate } from './testing/open-test-keeper.ts';
import { hasTestAuthority } from './testing/test-authority.ts';

const DAY_MS = 86_400_000;

test.skipIf(!hasTestAuthority)('a domain of a user gets a certificate by HTTP-01', async () => {
  await using t = await openTestDb();
  await using world = await openAcmeWorld(t);
  world.pointHere('nas.example.com');
  await insertDomain(t, 'nas.example.com');
  await using _keeper = await startTestKeeper(t, world);

  const row = await whenCertificate(t, 'nas.example.com', ({ chain }) => chain !== null);

  const { certificates, challenges } = await readEdge(t.db, sealingKey);
  expect(certificates).toHaveLength(1);
  const [shown] = certificates;
  const leaf = new X509Certificate(shown!.cert);
  expect(shown!.names).toEqual(['nas.example.com']);
  expect(leaf.subjectAltName).toBe('DNS:nas.example.com');
  expect(leaf.checkPrivateKey(createPrivateKey(shown!.key))).toBe(true);
  expect(shown!.cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(challenges).toEqual([]);
  expect(row).toMatchObject({ failures: 0, problem: null, claim: null, orderUrl: null });
  expect(world.visits).toHaveLength(1);
  void DAY_MS;
});

export async function insertDomain(t: TestDb, customDomain: string): Promise<number> {
  const { deviceId, serverId } = await insertHome(t.db);
  const row = await t.db
    .insertInto('mapping')
    .values({
      deviceId,
      serverId,
      customDomain,
      kind: 'http',
      targetHost: '192.168.1.10',
      targetPort: 80,
      policy: 'public',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
