import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, testCsrfKey } from '../../testing/apps/open-test-app.ts';
import { registerLoginRoutes } from './login-routes.ts';

const deps = {
  sealingKey: Buffer.alloc(32, 3),
  codeKey: Buffer.alloc(32, 5),
  csrfKey: testCsrfKey,
  publicUrl: 'http://localhost:8080',
  billing: 'off' as const,
  phoneRegions: ['86'],
};

test('the login status is limited to 120 calls a minute per network', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (on) => registerLoginRoutes(on, { ...deps, db: t.db }));
  const ask = async (ip: string) =>
    (await app.browser().call('GET', '/api/login_status/', undefined, { 'x-forwarded-for': ip })).status;

  const statuses = await Promise.all(Array.from({ length: 125 }, async () => await ask('203.0.113.7')));

  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await ask('203.0.113.8')).toBe(200);
});
