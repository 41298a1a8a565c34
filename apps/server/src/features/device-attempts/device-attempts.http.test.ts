import { AppError } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertHome, insertUser } from '../../testing/device-fixtures.ts';
import { findKeyState, registerEnrolmentKeyRoutes, useEnrolmentKey } from '../enrolment-keys/index.ts';
import { AttemptRecorder, noteRefusedToken, registerDeviceAttemptRoutes } from './index.ts';

const path = '/api/user/device_attempts/?within_seconds=120';
const here = '127.0.0.1';
const elsewhere = '203.0.113.9';

async function openApp(t: TestDb) {
  return await openTestApp(t.db, (app) => {
    registerDeviceAttemptRoutes(app, { db: t.db });
    registerEnrolmentKeyRoutes(app, { db: t.db });
  });
}

/** Stores these attempts. */
async function note(t: TestDb, ...attempts: Parameters<AttemptRecorder['note']>[0][]): Promise<void> {
  await using recorder = new AttemptRecorder({ db: t.db, log: pino({ level: 'silent' }) });
  for (const attempt of attempts) recorder.note(attempt);
}

test('somebody sees the attempts of their own devices, and those of nobody from their own network', async () => {
  await using t = await openTestDb();
  const { userId, deviceId } = await insertHome(t.db);
  const other = await insertHome(t.db, 'wang');
  await using test = await openApp(t);
  await note(
    t,
    { kind: 'script', ip: '127.0.0.77' },
    { kind: 'script', ip: '127.0.0.1' },
    { kind: 'clock_wrong', ip: elsewhere },
    { kind: 'frpc_token', ip: elsewhere, deviceId },
    { kind: 'frpc_twice', ip: here, deviceId: other.deviceId },
    { kind: 'frpc_unknown', ip: here, deviceId: 999_999 },
  );

  const { status, body } = await (await test.browserOf(userId)).call('GET', path);
  expect(status).toBe(200);
  expect(body).toHaveLength(3);
  expect(body).toEqual(
    expect.arrayContaining([
      { kind: 'script', is_own: false, seconds_ago: expect.any(Number) },
      { kind: 'frpc_token', is_own: true, seconds_ago: expect.any(Number) },
      { kind: 'frpc_unknown', is_own: false, seconds_ago: expect.any(Number) },
    ]),
  );
  expect((await test.browser().call('GET', path)).status).toBe(401);
  const tooLong = await (await test.browserOf(userId)).call('GET', path.replace('120', '99999'));
  expect(tooLong.status).toBe(422);
});

test('a refused token is reported to the owner of its key, wherever the device is', async () => {
  await using t = await openTestDb();
  const userId = await insertUser(t.db, 'li');
  await using test = await openApp(t);
  const owner = await test.browserOf(userId);
  const fields = { name: '书房', is_reusable: false, valid_hours: 1 };
  const created = await owner.call('POST', '/api/user/enrolment_keys/', fields);
  const { key } = created.body as { key: string };
  await t.db.transaction().execute(async (tx) => await useEnrolmentKey(tx, key));
  await using recorder = new AttemptRecorder({ db: t.db, log: pino({ level: 'silent' }) });
  const deps = {
    note: recorder.note.bind(recorder),
    findKey: async (token: string) => await findKeyState(t.db, token),
  };
  await noteRefusedToken(deps, { code: 'enrolment.token-invalid', token: key, ip: elsewhere });
  await noteRefusedToken(deps, { code: 'enrolment.token-invalid', token: 'te_typo', ip: elsewhere });
  await noteRefusedToken(deps, { code: new AppError('server.unavailable').code, token: key, ip: elsewhere });
  await recorder[Symbol.asyncDispose]();

  expect((await owner.call('GET', path)).body).toEqual([
    { kind: 'key_used', is_own: true, seconds_ago: expect.any(Number) },
  ]);
});

test('a flood of attempts is stored in part only, and repeats take one row', async () => {
  await using t = await openTestDb();
  await note(t, ...Array.from({ length: 1_000 }, (_, at) => ({ kind: 'script' as const, ip: `10.0.${at % 250}.1` })));
  await note(t, ...Array.from({ length: 1_000 }, (_, at) => ({ kind: 'script' as const, ip: `10.0.${at % 250}.1` })));
  const rows = await t.db.selectFrom('deviceAttempt').select('network').execute();
  expect(rows).toHaveLength(200);
});
