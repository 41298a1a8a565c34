import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { mount } from '../mount.ts';

const remove = '/api/user/records/1/';

async function insertUser(db: Db, username: string): Promise<number> {
  const { id } = await db.insertInto('userAccount').values({ username }).returning('id').executeTakeFirstOrThrow();
  return id;
}

test('a console that still shows the previous user may read but not change anything', async () => {
  await using t = await openTestDb();
  const acted: number[] = [];
  await using app = await openTestApp(t.db, (server: FastifyInstance) => {
    mount(server, 'GET /api/login_status/', { login: 'optional' }, async () => ({ logged_in: true, id: 1 }));
    mount(server, 'DELETE /api/user/records/{id}/', { login: 'required' }, async ({ session }) => {
      acted.push(session.userId);
      return { ok: true as const };
    });
  });
  const [liam, kate] = [await insertUser(t.db, 'liam'), await insertUser(t.db, 'kate')];
  const browser = await app.browserOf(kate);
  const call = async (shown: string | undefined) =>
    await browser.call('DELETE', remove, undefined, { 'x-user-id': shown });

  for (const shown of [String(liam), '0', `${kate}, ${liam}`, `0${kate}`, '', 'kate'])
    expect(await call(shown)).toMatchObject({ status: 409, body: { code: 'session.changed' } });
  expect(acted).toEqual([]);

  expect((await call(String(kate))).status).toBe(200);
  expect((await call(undefined)).status).toBe(200);
  expect(acted).toEqual([kate, kate]);
  const reading = await browser.call('GET', '/api/login_status/', undefined, { 'x-user-id': String(liam) });
  expect(reading.status).toBe(200);
});

test('session.changed and session.required come before session.confirm-required', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (server: FastifyInstance) => {
    mount(server, 'POST /api/user/deletion/', { login: 'required' }, async () => expect.unreachable('called'));
  });
  const liam = await insertUser(t.db, 'liam');
  const browser = await app.browserOf(await insertUser(t.db, 'kate'));
  await t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(Date.now() - 1) })
    .execute();
  const call = async () => await browser.call('POST', '/api/user/deletion/', undefined, { 'x-user-id': String(liam) });

  expect(await call()).toMatchObject({ status: 409, body: { code: 'session.changed' } });
  await t.db.deleteFrom('session').execute();
  expect(await call()).toMatchObject({ status: 401, body: { code: 'session.required' } });
});
