import { randomBytes } from 'node:crypto';
import type { Profile, Security } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../testing/run-both-while-locked.ts';
import { resetPassword } from '../users/index.ts';
import { browserHashOf } from '../../testing/browser-hash.ts';
import { insertAppMember, insertAppSession, insertAppWake, insertCloudApp } from '../../testing/cloud-app-fixtures.ts';
import { insertDevice, insertMapping, insertServer } from '../../testing/device-fixtures.ts';
import {
  insertAccount,
  openAccountApp,
  testKeys,
  testPassword,
  turnOnTotp,
} from '../../testing/apps/open-account-app.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';
import { sendMailCode } from '../codes/index.ts';
import { findTokenOwner } from '../users/index.ts';

const profile = '/custom/profile/';

async function securityOf(browser: TestBrowser): Promise<Security> {
  return (await browser.call('GET', '/api/user/security/')).body as Security;
}

/** The code that is mailed to a user who binds an address. */
async function mailCode(db: Db, browser: TestBrowser, email: string): Promise<string> {
  const sent: string[] = [];
  const mailer = { send: async (mail: { text: string }) => void sent.push(mail.text) };
  const deps = { ...testKeys, db, mailer, sms: undefined, log: pino({ level: 'silent' }) };
  await sendMailCode(deps as unknown as Parameters<typeof sendMailCode>[0], {
    email,
    purpose: 'bind',
    caller: { ip: '127.0.0.1', browserHash: browserHashOf(browser) },
  });
  return /\d{6}/.exec(sent.join())?.[0] ?? '';
}

test('the security of an account that has a password and nothing else', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));

  expect(await securityOf(browser)).toEqual({
    has_password: true,
    wechat: null,
    totp: false,
    passkeys: [],
    recovery_codes_left: 0,
    previous_token_until: null,
    deletion_at: null,
  });
});

test('the previous token enrols for another day, and the security settings say until when', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const tokenOf = async () => ((await browser.call('GET', '/api/profile/')).body as Profile[])[0]?.token ?? '';
  const former = await tokenOf();

  const reply = await browser.call('PATCH', profile, { rotate_token: true });

  const { token } = reply.body as Profile;
  expect(token).not.toBe(former);
  expect(await tokenOf()).toBe(token);
  expect(await findTokenOwner(t.db, token)).toBe(id);
  expect(await findTokenOwner(t.db, former)).toBe(id);
  const hours = (Date.parse((await securityOf(browser)).previous_token_until ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  await t.db
    .updateTable('accountToken')
    .set({ retiredAt: new Date(Date.now() - 24 * 3_600_000) })
    .where('retiredAt', 'is not', null)
    .execute();
  expect(await findTokenOwner(t.db, former)).toBeUndefined();
  expect((await securityOf(browser)).previous_token_until).toBeNull();
});

test('of the former tokens only the last one enrols, until its owner deletes it', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const other = await insertAccount(t.db, { username: 'wang' });
  const otherBrowser = await app.browserOf(other);
  await otherBrowser.call('PATCH', profile, { rotate_token: true });
  const rotate = async () => ((await browser.call('PATCH', profile, { rotate_token: true })).body as Profile).token;
  const leaked = await rotate();
  const last = await rotate();
  expect(await findTokenOwner(t.db, leaked)).toBe(id);

  const current = await rotate();

  const owners = async () => await Promise.all([leaked, last, current].map((token) => findTokenOwner(t.db, token)));
  expect(await owners()).toEqual([undefined, id, id]);
  for (let times = 0; times < 2; times++) {
    const reply = await browser.call('DELETE', '/api/user/previous_token/');
    expect(reply).toMatchObject({ status: 200, body: { previous_token_until: null } });
  }
  expect(await owners()).toEqual([undefined, undefined, id]);
  expect((await securityOf(otherBrowser)).previous_token_until).not.toBeNull();
});

test('concurrent rotations leave one current token', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));

  const replies = await Promise.all(
    Array.from({ length: 4 }, () => browser.call('PATCH', profile, { rotate_token: true })),
  );

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const current = await t.db.selectFrom('accountToken').select('id').where('retiredAt', 'is', null).execute();
  expect(current).toHaveLength(1);
});

test('an e-mail address is bound by the code that was sent to it, once, and to one account', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  await insertAccount(t.db, { username: 'wang', email: 'Wang@example.com' });
  const code = await mailCode(t.db, browser, 'li@example.com');
  const wrong = code === '000000' ? '000001' : '000000';
  const bind = (email: string, given: string) => browser.call('PATCH', profile, { email, code: given });

  expect(await bind('li@example.com', wrong)).toMatchObject({ status: 422, body: { code: 'code.wrong' } });
  expect(await bind('other@example.com', code)).toMatchObject({ status: 422, body: { code: 'code.expired' } });
  expect(await bind('li@example.com', code)).toMatchObject({ status: 200, body: { email: 'li@example.com' } });
  expect(await bind('li@example.com', code)).toMatchObject({ status: 422, body: { code: 'code.expired' } });
  // Only a user who can read mail sent to the address learns that another account has it.
  expect(await bind('wang@example.com', '000000')).toMatchObject({ body: { code: 'code.expired' } });
  expect(await bind('wang@example.com', await mailCode(t.db, browser, 'wang@example.com'))).toMatchObject({
    status: 409,
    body: { code: 'user.email-taken', errors: { email: expect.any(Array) } },
  });
});

test('a session that a reset of the password ends binds no address', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const browser = await app.browserOf(id);
  const code = await mailCode(t.db, browser, 'li@example.com');

  const [reset, bound] = await runBothWhileLocked(
    t,
    async (tx) => await tx.selectFrom('userAccount').where('id', '=', id).select('id').forUpdate().execute(),
    async () => await resetPassword(t.db, id, 'a lion in the garden'),
    async () => await browser.call('PATCH', profile, { email: 'li@example.com', code }),
  );

  expect(reset).toMatchObject({ status: 'fulfilled' });
  expect(bound).toMatchObject({ value: { status: 401, body: { code: 'session.required' } } });
});

test('turning two-step login off deletes every factor', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  await turnOnTotp(browser);
  expect(await securityOf(browser)).toMatchObject({ totp: true, recovery_codes_left: 10 });

  expect((await browser.call('PATCH', profile, { two_step: false })).status).toBe(200);

  expect(await securityOf(browser)).toMatchObject({ totp: false, recovery_codes_left: 0 });
});

test('the last sign-in method cannot be removed, and the WeChat of another account cannot be bound', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { hasPassword: false });
  const wechat = { userId: id, appId: 'wx1', openId: 'o1', unionId: 'u1', nickname: '小李' };
  await t.db.insertInto('wechatAccount').values(wechat).execute();
  const browser = await app.browserOf(id);

  expect(await browser.call('PATCH', profile, { wechat: null })).toMatchObject({
    status: 409,
    body: { code: 'user.last-way-in' },
  });
  expect(await securityOf(browser)).toMatchObject({ has_password: false, wechat: { nickname: '小李' } });
  expect((await browser.call('POST', '/custom/password/', { new_password: 'a first password' })).status).toBe(200);
  expect((await browser.call('PATCH', profile, { wechat: null })).status).toBe(200);
  expect(await securityOf(browser)).toMatchObject({ has_password: true, wechat: null });
  expect(await browser.call('PATCH', profile, { wechat: { code: 'x', state: 'y' } })).toMatchObject({
    status: 422,
    body: { code: 'wechat.code-invalid' },
  });
});

test('a first password needs a confirmed session, and a change the old password', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { hasPassword: false, phoneNumber: '+8613800138000' });
  const [browser, other] = [await app.browserOf(id), await app.browserOf(id)];
  const change = (body: object) => browser.call('POST', '/custom/password/', body);
  await t.db.updateTable('session').set({ confirmedUntil: null }).execute();

  expect(await change({ new_password: testPassword })).toMatchObject({
    status: 403,
    body: { code: 'session.confirm-required' },
  });
  await t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(Date.now() + 60_000) })
    .execute();
  const before = browser.cookies.get('sessionid');
  expect((await change({ new_password: testPassword })).status).toBe(200);
  expect(browser.cookies.get('sessionid')).not.toBe(before);
  expect((await other.call('GET', '/api/login_status/')).body).toEqual({ logged_in: false, id: 0 });
  expect(await change({ new_password: 'yet another one' })).toMatchObject({
    status: 403,
    body: { code: 'password.wrong' },
  });
  expect((await change({ old_password: testPassword, new_password: 'yet another one' })).status).toBe(200);
});

test('of concurrent first passwords one is set', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { hasPassword: false, phoneNumber: '+8613800138000' });
  const browsers = [await app.browserOf(id), await app.browserOf(id), await app.browserOf(id)];

  const replies = await Promise.all(
    browsers.map((browser, index) =>
      browser.call('POST', '/custom/password/', { new_password: `a first choice ${index}` }),
    ),
  );

  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await t.db.selectFrom('session').select('id').execute()).toHaveLength(1);
});

test('the export is a file with all data of the account, without data of others and without secrets', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db, { email: 'li@example.com' });
  const otherUserId = await insertAccount(t.db, { username: 'wang', email: 'wang@example.com' });
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId: id, serverId, name: '我的NAS' });
  const mappingId = await insertMapping(t.db, { deviceId, serverId, prefix: 'nas' });
  const foreign = await insertDevice(t.db, { userId: otherUserId, serverId, name: '别人的NAS' });
  const foreignMapping = await insertMapping(t.db, { deviceId: foreign, serverId, prefix: 'foreign' });
  const shared = await insertMapping(t.db, { deviceId: foreign, serverId, prefix: 'photos' });
  await t.db
    .insertInto('mappingMember')
    .values([
      { mappingId: foreignMapping, contact: 'zhao@example.com' },
      { mappingId: shared, contact: 'zhao@example.com' },
      { mappingId: shared, contact: 'li@example.com' },
    ])
    .execute();
  const usedOn = new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10);
  await t.db
    .insertInto('mappingUsageHour')
    .values([1, 2].map((hour) => ({ mappingId, hour: new Date(`${usedOn}T0${hour}:00Z`), ...usage })))
    .execute();
  const day = new Date('2026-11-19T16:00Z');
  const ofDay = { userId: id, deviceId, mappingId, day, requests: 2 };
  await t.db
    .insertInto('usagePlaceDay')
    .values({ ...ofDay, place: '北京市' })
    .execute();
  await t.db
    .insertInto('usageVisitorDay')
    .values({ ...ofDay, verificationId: 5 })
    .execute();
  const uptime = { unit: 'day', startsAt: day, onlineMs: 1, observedMs: 2 } as const;
  await t.db
    .insertInto('deviceUptime')
    .values([deviceId, foreign].map((each) => ({ ...uptime, deviceId: each })))
    .execute();
  const browser = await app.browserOf(id);
  const { secret, recoveryCodes } = await turnOnTotp(browser);
  const made = await browser.call('POST', '/api/user/api_tokens/', {
    name: '备份',
    scopes: ['devices:read'],
    valid_days: null,
  });

  const reply = await browser.call('GET', '/api/user/export/');

  expect(reply.headers['content-disposition']).toBe(`attachment; filename="tongtu-${id}.json"`);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.body).toMatchObject({
    account: { id, username: 'li', email: 'li@example.com', created_at: expect.stringMatching(/Z$/) },
    security: { totp: true },
    sessions: [{ ip: '127.0.0.1' }],
    api_tokens: [{ name: '备份' }],
    devices: [{ id: deviceId, name: '我的NAS' }],
    mappings: [{ id: mappingId, prefix: 'nas', target_host: '192.168.1.10' }],
    share_links: [],
    members: [],
    shared_with_me: [{ domain: 'photos.localhost', contact: 'li@example.com' }],
    verifications: [],
    visits: [],
    usage_by_day: [{ mapping_id: mappingId, day: usedOn, bytes_in: 20, bytes_out: 40, requests: 2 }],
    usage_places_by_day: [{ mapping_id: mappingId, day: '2026-11-20', place: '北京市', requests: 2 }],
    usage_visitors_by_day: [{ mapping_id: mappingId, day: '2026-11-20', verification_id: 5, requests: 2 }],
    uptime_by_day: [{ device_id: deviceId, day: '2026-11-20', online_ms: 1, observed_ms: 2 }],
  });
  const account = (await browser.call('GET', '/api/profile/')).body as Profile[];
  const { token } = made.body as { token: string };
  for (const text of [
    'wang',
    '别人的',
    'foreign',
    'zhao',
    secret,
    token,
    account[0]?.token ?? '',
    '$argon2id',
    ...recoveryCodes,
  ]) {
    expect(reply.text).not.toContain(text);
  }
});

/** Inserts one of everything that may belong to an account besides its device and mapping, with `word` in it. */
async function insertOneOfEach(
  db: Db,
  { userId, deviceId, mappingId, word }: { userId: number; deviceId: number; mappingId: number; word: string },
) {
  const soon = new Date(Date.now() + 3_600_000);
  const hash = randomBytes(32);
  await db
    .insertInto('shareLink')
    .values({ mappingId, label: word, codeHash: hash, codeSealed: hash, expiresAt: soon })
    .execute();
  await db
    .insertInto('mappingMember')
    .values({ mappingId, contact: `${word}@example.com` })
    .execute();
  const place = { ownerId: userId, deviceId, mappingId, host: 'h' };
  const visit = { ...place, visitorIp: '203.0.113.9', expiresAt: soon, cookieExpiresAt: soon };
  const deletedMapping = {
    ownerId: userId,
    deviceId,
    deviceName: word,
    kind: 'http',
    domain: 'deleted.localhost',
  } as const;
  await db
    .insertInto('deletedMapping')
    .values({ ...deletedMapping, id: mappingId + 1000 })
    .execute();
  await db
    .insertInto('verification')
    .values([
      // A visitor of the mapping, and the user as a visitor.
      { ...visit, userId: null, userAgent: '', grantedBy: 'share', who: word },
      { ...visit, userId, userAgent: `browser of ${word}`, grantedBy: 'owner' },
    ])
    .execute();
  await db.insertInto('knownLogin').values({ userId, browser: word, place: 'p' }).execute();
  const [{ id: serverId } = { id: 0 }] = await db.selectFrom('server').select('id').execute();
  await db.insertInto('releasedPrefix').values({ serverId, prefix: word, userId }).execute();
  await db
    .insertInto('apiToken')
    .values({ userId, name: word, hint: 'tt_api_x', tokenHash: hash, scopes: ['devices:read'] })
    .execute();
  await db
    .insertInto('enrolmentKey')
    .values({ userId, name: word, hint: 'te_x', keyHash: hash, isReusable: false, expiresAt: soon })
    .execute();
  await db.insertInto('trustedBrowser').values({ userId, secretHash: hash, sessionId: 0, userAgent: word }).execute();
  await db
    .insertInto('alertChannel')
    .values({
      userId,
      kind: 'webhook',
      name: word,
      targetSealed: hash,
      hint: 'h',
      hasSecret: false,
      events: ['new_login'],
    })
    .execute();
  await db
    .insertInto('session')
    .values({ idHash: hash, userId, expiresAt: soon, ip: '203.0.113.9', userAgent: word })
    .execute();
  const appId = await insertCloudApp(db, { deviceId, name: word });
  await db
    .updateTable('cloudApp')
    .set({ secretsSealed: hash, storedSecrets: ['password'] })
    .execute();
  await insertAppMember(db, { appId, userId });
  await insertAppSession(db, { appId, ownerId: userId, userId, word });
  await insertAppWake(db, { appId, userId, word });
}

test('the export has the account’s row of each kind, and none of another account', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const id = await insertAccount(t.db);
  const otherUserId = await insertAccount(t.db, { username: 'wang' });
  const serverId = await insertServer(t.db);
  for (const [userId, prefix, word] of [
    [id, 'nas', 'my-own'],
    [otherUserId, 'other', 'somebody-elses'],
  ] as const) {
    const deviceId = await insertDevice(t.db, { userId, serverId });
    await insertOneOfEach(t.db, {
      userId,
      deviceId,
      mappingId: await insertMapping(t.db, { deviceId, serverId, prefix }),
      word,
    });
  }

  const reply = await (await app.browserOf(id)).call('GET', '/api/user/export/');

  expect(reply.text).not.toMatch(/somebody-elses|wang/);
  expect(reply.body).toMatchObject({
    sessions: [{ user_agent: 'my-own' }, {}],
    known_logins: [{ browser: 'my-own' }],
    api_tokens: [{ name: 'my-own' }],
    enrolment_keys: [{ name: 'my-own', is_reusable: false }],
    trusted_browsers: [{ user_agent: 'my-own', skips_second_step_until: null }],
    released_prefixes: [{ prefix: 'my-own', suffix: 'localhost' }],
    share_links: [{ label: 'my-own' }],
    members: [{ contact: 'my-own@example.com' }],
    verifications: [{ user_agent: 'browser of my-own' }, { who: 'my-own' }],
    deleted_mappings: [{ domain: 'deleted.localhost', device_name: 'my-own' }],
    visits: [{ user_agent: 'browser of my-own' }],
    cloud_apps: [{ name: 'my-own', stored_secrets: ['password'] }],
    cloud_app_members: [{ account: 'li' }],
    cloud_apps_shared_with_me: [{ name: 'my-own' }],
    cloud_app_sessions: [{ app_name: 'my-own', who: 'my-own', end_reason: null }],
    cloud_app_wakes: [{ who: 'my-own', result: 'sent' }],
    alert_channels: [{ name: 'my-own' }],
  });
  expect(reply.text).not.toContain('sealed');
});

const usage = {
  ...{ bytesIn: 10, bytesOut: 20, requests: 1, ok: 1, clientErrors: 0, serverErrors: 0 },
  ...{ failed: 0, firstByteMs: 1, answered: 1 },
};

test.each([
  ['PATCH', profile, { rotate_token: true }],
  ['GET', '/api/user/export/', undefined],
] as const)('%s %s needs a confirmed session', async (method, url, body) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));
  await t.db
    .updateTable('session')
    .set({ confirmedUntil: new Date(0) })
    .execute();

  expect(await browser.call(method, url, body)).toMatchObject({
    status: 403,
    body: { code: 'session.confirm-required' },
  });
});

test.each([
  {},
  { email: 'a@b.cn' },
  { rotate_token: false },
  { is_staff: true },
  { two_step: false, is_superuser: true },
])('the patch %j is refused', async (body) => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const browser = await app.browserOf(await insertAccount(t.db));

  expect(await browser.call('PATCH', profile, body)).toMatchObject({ status: 422, body: { code: 'request.invalid' } });
});
