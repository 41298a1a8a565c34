import { certificateProblems } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertHome } from '../../testing/device-fixtures.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from './mapping-routes.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';

const DAY_MS = 86_400_000;
const DOMAIN = 'nas.example.com';

/** The certificate that the API returns for such a row. Undefined inserts no row. */
async function shownCertificate(t: TestDb, row: { endsInMs?: number; problem?: string } | undefined): Promise<unknown> {
  const { userId, deviceId } = await insertHome(t.db);
  const target = 'http://192.168.1.10:5000';
  await using app = await openTestApp(t.db, (on) => registerMappingRoutes(on, { ...mappingDeps, db: t.db }));
  const browser = await app.browserOf(userId);
  const made = await browser.call('POST', '/api/user/records/', {
    router: deviceId,
    kind: 'http',
    custom_domain: DOMAIN,
    target,
    policy: 'owner',
  });
  expect(made.status).toBe(201);
  if (row) await insertCertificate(t, row);
  const { id } = made.body as { id: number }; // the reply to a mapping just made
  const changed = await browser.call('PATCH', `/api/user/records/${id}/`, { remark: 'x' });
  return (changed.body as { certificate: unknown }).certificate;
}

async function insertCertificate(t: TestDb, { endsInMs, problem }: { endsInMs?: number; problem?: string }) {
  const wish = { subject: DOMAIN, origin: 'custom_domain', challenge: 'http-01' } as const;
  const issued = { issuedNames: [DOMAIN], issuedBy: 'ca', chain: 'chain', keySealed: Buffer.of(1) };
  const times = { notBefore: new Date(0), notAfter: new Date(Date.now() + (endsInMs ?? 0)) };
  await t.db
    .insertInto('certificate')
    .values({
      ...wish,
      names: [DOMAIN],
      ...(endsInMs === undefined ? {} : { ...issued, ...times }),
      problem: problem ?? null,
    })
    .execute();
}

test('a domain without an order has no certificate', async () => {
  await using t = await openTestDb();
  expect(await shownCertificate(t, undefined)).toBeNull();
});

test('a certificate is waiting, ready, or failed with a reason', async () => {
  await using waiting = await openTestDb();
  expect(await shownCertificate(waiting, {})).toEqual({ state: 'waiting', not_after: null, error: null });

  await using ready = await openTestDb();
  expect(await shownCertificate(ready, { endsInMs: 60 * DAY_MS })).toEqual({
    state: 'ready',
    not_after: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    error: null,
  });

  await using failed = await openTestDb();
  expect(await shownCertificate(failed, { problem: 'connection-failed' })).toEqual({
    state: 'failed',
    not_after: null,
    error: certificateProblems['connection-failed'],
  });
});

test('a failed renewal is shown with the valid certificate, and without it after it has expired', async () => {
  await using holds = await openTestDb();
  expect(await shownCertificate(holds, { endsInMs: DAY_MS, problem: 'caa-forbids' })).toMatchObject({
    state: 'ready',
    error: certificateProblems['caa-forbids'],
  });
  await using ended = await openTestDb();
  expect(await shownCertificate(ended, { endsInMs: -DAY_MS, problem: 'a word of a later version' })).toMatchObject({
    state: 'failed',
    error: certificateProblems.internal,
  });
});
