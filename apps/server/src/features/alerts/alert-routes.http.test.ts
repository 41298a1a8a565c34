import type { AlertChannel, AlertDelivery, AlertSettings } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertAccount } from '../../testing/apps/open-account-app.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { registerAccountRoutes } from '../account-data/index.ts';
import { registerAlertRoutes } from './alert-routes.ts';
import type { SenderDeps } from './sending/alert-sender.ts';
import { insertDelivery } from './delivery-store.ts';
import { addTestChannel, offlineDetails, senderDeps } from './testing/alert-fixtures.ts';
import { startReceiver } from './testing/receiver.ts';
import { startFakeWebhook, webhookSecret } from './testing/fake-providers.ts';

const settings = '/api/user/alerts/';
const channels = `${settings}channels/`;
const events = ['device_offline', 'device_online'] as const;
const url = 'https://hooks.example.com/services/T000/B000/XXXXsecretYYYY';
const hook = { name: '家庭群', events, target: { kind: 'webhook', url, secret: webhookSecret } };

async function openAlerts(t: TestDb, more: Partial<SenderDeps> = {}) {
  const app = await openTestApp(t.db, (server) => {
    const deps = senderDeps(t.db, { allowedAddresses: 'public', ...more });
    registerAlertRoutes(server, deps);
    registerAccountRoutes(server, {
      ...deps,
      codeKey: Buffer.alloc(32, 5),
      csrfKey: Buffer.alloc(32, 7),
      publicUrl: 'http://localhost',
      billing: 'off',
    });
  });
  const userId = await insertAccount(t.db);
  const owner = await app.browserOf(userId);
  const add = async (body: object) => await owner.call('POST', channels, body);
  return {
    userId,
    owner,
    add,
    app,
    addHook: async (origin?: string) => {
      const target = origin === undefined ? hook.target : { ...hook.target, url: origin };
      return (await add({ ...hook, target })).body as AlertChannel;
    },
    list: async () => (await owner.call('GET', settings)).body as AlertSettings,
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

test('an account starts without channels and with five minutes, which the user can change', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);

  expect(await alerts.list()).toEqual({ offline_after_minutes: 5, channels: [] });
  expect(await alerts.owner.call('PATCH', settings, { offline_after_minutes: 30 })).toMatchObject({
    status: 200,
    body: { offline_after_minutes: 30 },
  });
  expect((await alerts.list()).offline_after_minutes).toBe(30);
  for (const offline_after_minutes of [0, 2, 61, '5', null]) {
    expect((await alerts.owner.call('PATCH', settings, { offline_after_minutes })).status).toBe(422);
  }
});

test('a channel can be added, changed, disabled and deleted', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);

  const added = await alerts.add(hook);
  const { id } = added.body as AlertChannel;
  const shown = {
    ...{
      id,
      kind: 'webhook',
      name: '家庭群',
      events,
      hint: 'hooks.example.com …YYYY',
      has_secret: true,
      enabled: true,
    },
    ...{ last_sent_at: null, last_failure: null },
  };
  expect([added.status, added.body]).toEqual([201, shown]);
  expect((await alerts.list()).channels).toEqual([shown]);

  const target = { kind: 'webhook', url: 'https://other.example.com/' };
  const changes = { name: '值班', events: ['new_login'], enabled: false, target };
  const { target: _, ...plain } = changes;
  const changed = { ...shown, ...plain, hint: 'other.example.com', has_secret: false };
  expect(await alerts.owner.call('PATCH', `${channels}${id}/`, changes)).toMatchObject({ status: 200, body: changed });
  expect((await alerts.owner.call('PATCH', `${channels}${id}/`, {})).body).toEqual(changed);

  expect((await alerts.owner.call('DELETE', `${channels}${id}/`)).status).toBe(200);
  expect(await alerts.owner.call('DELETE', `${channels}${id}/`)).toMatchObject({
    status: 404,
    body: { code: 'alert.channel-not-found' },
  });
  expect((await alerts.list()).channels).toEqual([]);
});

test('the kind of a channel cannot change', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  const { id } = await alerts.addHook();

  const target = { kind: 'bark', url: 'https://api.day.app/ynJ5Ft4atkMkWeo2PAvFhF' };
  expect(await alerts.owner.call('PATCH', `${channels}${id}/`, { target })).toMatchObject({
    status: 409,
    body: { code: 'alert.kind-fixed' },
  });
});

const mail = { name: '邮件', events, target: { kind: 'email' } };
const mailer = { send: async () => undefined };

test('a mail channel needs a bound address and shows it', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t, { mailer });

  expect(await alerts.add(mail)).toMatchObject({ status: 409, body: { code: 'alert.email-missing' } });
  await t.db.updateTable('userAccount').set({ email: 'li@example.com' }).execute();

  expect(await alerts.add(mail)).toMatchObject({ status: 201, body: { hint: 'li@example.com', has_secret: false } });
});

test('a server without a mailer refuses mail channels', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  await t.db.updateTable('userAccount').set({ email: 'li@example.com' }).execute();

  expect(await alerts.add(mail)).toMatchObject({
    status: 409,
    body: { code: 'alert.mail-unavailable', detail: '当前服务没有开通邮件，请选择其他提醒方式' },
  });
  expect((await alerts.list()).channels).toEqual([]);
});

test('a mail channel on a server without a mailer is listed with its failure, and can be changed and deleted', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  await t.db.updateTable('userAccount').set({ email: 'li@example.com' }).execute();
  const id = await addTestChannel(t.db, alerts.userId);
  const own = `${channels}${id}/`;

  expect((await alerts.list()).channels).toMatchObject([{ id, kind: 'email', hint: 'li@example.com', enabled: true }]);
  const tested = await alerts.owner.call('POST', `${own}test/`);
  expect(tested).toMatchObject({ status: 200, body: { state: 'failed', failure: 'mail_unavailable' } });
  const refused = { status: 409, body: { code: 'alert.mail-unavailable' } };
  expect(await alerts.owner.call('PATCH', own, { target: mail.target })).toMatchObject(refused);
  expect((await alerts.list()).channels).toMatchObject([{ last_failure: { why: 'mail_unavailable' } }]);
  const changes = { name: '旧邮箱', events: ['new_login'], enabled: false };
  expect(await alerts.owner.call('PATCH', own, changes)).toMatchObject({ status: 200, body: changes });
  expect((await alerts.owner.call('DELETE', own)).status).toBe(200);
  expect((await alerts.list()).channels).toEqual([]);
});

test('an account has ten channels at most, also when several are added at once', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);

  const replies = await Promise.all(Array.from({ length: 12 }, async () => await alerts.add(hook)));

  const refused = replies.filter(({ status }) => status !== 201);
  const full = { status: 409, body: { code: 'alert.limit-reached' } };
  expect(refused).toMatchObject([full, full]);
  expect((await alerts.list()).channels).toHaveLength(10);
});

test.each([
  'http://127.1/',
  'http://0x7f.1/x',
  'http://[::ffff:10.0.0.1]/',
  'https://192.168.1.2:8080/a',
  'http://localhost/',
])('%s is refused when a channel is saved, and allowed where the operator allows it', async (address) => {
  await using t = await openTestDb();
  const target = { kind: 'webhook', url: address };
  const refused = { status: 422, body: { code: 'alert.address-refused' } };
  {
    await using alerts = await openAlerts(t);
    expect(await alerts.add({ ...hook, target })).toMatchObject(refused);
    const { id } = await alerts.addHook();
    expect(await alerts.owner.call('PATCH', `${channels}${id}/`, { target })).toMatchObject(refused);
  }
  await t.db.deleteFrom('userAccount').execute();
  await using alerts = await openAlerts(t, { allowedAddresses: 'any' });
  expect((await alerts.add({ ...hook, target })).status).toBe(201);
});

test.each([
  { ...hook, name: '' },
  { ...hook, events: [] },
  { ...hook, events: ['new_login', 'new_login'] },
  { ...hook, events: ['device_exploded'] },
  { ...hook, target: { kind: 'webhook', url: 'ftp://example.com/' } },
  { ...hook, target: { kind: 'webhook', url: 'hooks.example.com/x' } },
  { ...hook, target: { kind: 'bark', url: '' } },
  { ...hook, target: { kind: 'wecom', url: 'abc' } },
  { ...hook, target: { kind: 'webhook', url: 'https://example.com/', secret: 'a\r\nb' } },
  { ...hook, target: { kind: 'wecom', url: 'https://evil.example.com/cgi-bin/webhook/send?key=0123456789' } },
  { ...hook, target: { kind: 'serverchan', send_key: '../../x' } },
  { ...hook, target: { kind: 'pager' } },
  { ...hook, user_id: 1 },
])('an invalid channel is refused: %j', async (body) => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);

  expect(await alerts.add(body)).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
});

test('a test message is sent at once, and the reply has its outcome', async () => {
  await using t = await openTestDb();
  await using receiver = await startFakeWebhook();
  await using alerts = await openAlerts(t, { allowedAddresses: 'any' });
  const { id } = await alerts.addHook(receiver.origin);
  const sent = await alerts.owner.call('POST', `${channels}${id}/test/`);

  expect(sent).toMatchObject({
    status: 200,
    body: { channel: { id, kind: 'webhook', name: '家庭群' }, event: 'test', state: 'sent', failure: null },
  });
  expect((sent.body as AlertDelivery).text).toMatch(/^测试提醒：“家庭群”可以收到提醒，/);
  expect(receiver.received).toHaveLength(1);
  expect((await alerts.list()).channels).toMatchObject([{ last_sent_at: expect.any(String), last_failure: null }]);

  receiver.respond = () => ({ status: 403 });
  await t.db.deleteFrom('rateCount').execute(); // as if the pause between tests had passed
  const refused = { state: 'failed', failure: 'rejected' };
  expect((await alerts.owner.call('POST', `${channels}${id}/test/`)).body).toMatchObject(refused);
  expect((await alerts.list()).channels).toMatchObject([{ last_failure: { at: expect.any(String), why: 'rejected' } }]);

  const target = { kind: 'webhook', url: `${receiver.origin}/new` };
  const changed = await alerts.owner.call('PATCH', `${channels}${id}/`, { target });
  expect(changed.body).toMatchObject({ last_failure: null });
});

test('two requests for a test at the same time send one message', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  await using alerts = await openAlerts(t, { allowedAddresses: 'any' });
  const { id } = await alerts.addHook(receiver.origin);

  const press = () => alerts.owner.call('POST', `${channels}${id}/test/`);
  const replies = (await Promise.all([press(), press()])).toSorted((a, b) => a.status - b.status);

  expect(replies).toMatchObject([{ status: 200 }, { status: 429, body: { code: 'request.too-many' } }]);
  expect(Number(replies[1]?.headers['retry-after'])).toBeLessThanOrEqual(5);
  expect(receiver.received).toHaveLength(1);

  const target = { kind: 'webhook', url: `${receiver.origin}/corrected` };
  await alerts.owner.call('PATCH', `${channels}${id}/`, { target });
  expect((await press()).status).toBe(200);
});

test.each([
  ['bark', 'https://api.day.app/', /Key/],
  ['bark', 'https://api.day.app', /Key/],
  ['bark', 'https://li:secret@api.day.app/abcdefghijklmnopqrstuv', /用户名和密码/],
  ['webhook', 'https://li:secret@hooks.example.com/x', /用户名和密码/],
  ['webhook', 'https://li@hooks.example.com/x', /用户名和密码/],
])('a channel of kind %s refuses %s and says why', async (kind, given, words) => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  const { id } = await alerts.addHook();
  const target = { kind, url: given };

  for (const reply of [
    await alerts.add({ ...hook, target }),
    await alerts.owner.call('PATCH', `${channels}${id}/`, { target }),
  ]) {
    expect(reply).toMatchObject({
      status: 422,
      body: { errors: { 'target.url': [expect.stringMatching(words)] } },
    });
  }
});

test('an account sends five tests a minute at most', async () => {
  await using t = await openTestDb();
  await using receiver = await startReceiver();
  await using alerts = await openAlerts(t, { allowedAddresses: 'any' });

  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) {
    const { id } = await alerts.addHook(receiver.origin);
    statuses.push((await alerts.owner.call('POST', `${channels}${id}/test/`)).status);
  }

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(receiver.received).toHaveLength(5);
});

test('a delivery whose details cannot be parsed is listed', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  const { id } = await alerts.addHook();
  await insertDelivery(t.db, id, offlineDetails({ id: 1 }));
  await t.db
    .updateTable('alertDelivery')
    .set({ details: { event: 'device_offline', groups: [] } })
    .execute();

  expect(await alerts.owner.call('GET', `${settings}deliveries/`)).toMatchObject({
    status: 200,
    body: { count: 1, results: [{ event: 'device_offline', text: '内容无法显示', state: 'waiting' }] },
  });
});

test('deliveries are listed page by page, the newest first', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  const { id } = await alerts.addHook();
  for (let n = 1; n <= 3; n++) await insertDelivery(t.db, id, offlineDetails({ id: n, name: `d${n}` }));

  const { body } = await alerts.owner.call('GET', `${settings}deliveries/?limit=2`);

  expect(body).toMatchObject({
    count: 3,
    next: `${settings}deliveries/?limit=2&offset=2`,
    previous: null,
    results: [
      {
        channel: { id, kind: 'webhook', name: '家庭群' },
        event: 'device_offline',
        text: 'd3 已离线，离线时间：2026-11-21 16:00（北京时间），设备与服务器之间的网络断开了',
        state: 'waiting',
        failure: null,
      },
      { text: expect.stringMatching(/^d2/) },
    ],
  });
});

test('no reply contains a secret or a target', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t, { resolve: async () => Promise.reject(new Error(url)) });
  const added = await alerts.add(hook);
  const { id } = added.body as AlertChannel;
  const { owner } = alerts;

  const replies = [
    added,
    await owner.call('GET', settings),
    await owner.call('PATCH', `${channels}${id}/`, { name: '值班' }),
    await owner.call('PATCH', `${channels}${id}/`, {
      target: { ...hook.target, url: 'http://10.0.0.1/XXXXsecretYYYY' },
    }),
    await owner.call('POST', `${channels}${id}/test/`),
    await owner.call('GET', `${settings}deliveries/`),
    await owner.call('GET', '/api/user/export/'),
    await owner.call('DELETE', `${channels}${id}/`),
  ];

  expect(replies.map(({ status }) => status)).toEqual([201, 200, 200, 422, 200, 200, 200, 200]);
  for (const { text } of replies) {
    expect(text).not.toContain('secretYYYY');
    expect(text).not.toContain(webhookSecret);
  }
  expect(replies[6]?.body).toMatchObject({
    alert_channels: [{ id, kind: 'webhook', hint: 'hooks.example.com …YYYY' }],
    alerts: [{ channel_id: id, failure: 'unreachable' }],
    account: { offline_after_minutes: 5 },
  });
});

test('the database does not contain a target in plain text', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  await alerts.addHook();

  const row = await t.db.selectFrom('alertChannel').selectAll().executeTakeFirstOrThrow();

  expect(JSON.stringify({ ...row, targetSealed: row.targetSealed.toString('latin1') })).not.toContain('secretYYYY');
});

test('channels of other users are not found, and lists need a login', async () => {
  await using t = await openTestDb();
  await using alerts = await openAlerts(t);
  const { id } = await alerts.addHook();
  const otherUser = await alerts.app.browserOf(await insertAccount(t.db, { username: 'wang' }));
  const unknown = { status: 404, body: { code: 'alert.channel-not-found' } };

  expect(await otherUser.call('PATCH', `${channels}${id}/`, { enabled: false })).toMatchObject(unknown);
  expect(await otherUser.call('DELETE', `${channels}${id}/`)).toMatchObject(unknown);
  expect(await otherUser.call('POST', `${channels}${id}/test/`)).toMatchObject(unknown);
  expect((await otherUser.call('GET', settings)).body).toMatchObject({ channels: [] });
  expect((await otherUser.call('GET', `${settings}deliveries/`)).body).toMatchObject({ count: 0, results: [] });
  const anonymous = alerts.app.browser();
  for (const path of [settings, `${settings}deliveries/`]) expect((await anonymous.call('GET', path)).status).toBe(401);
  expect((await alerts.list()).channels).toMatchObject([{ id, enabled: true }]);
});
