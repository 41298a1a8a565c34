import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import {
  fetchLogin,
  confirmByPhone,
  issueCode,
  openDesktop,
  openPhone,
  openTestSso,
  scanTokenOf,
  fetchCode,
} from '../testing/open-test-sso.ts';

const confirmUrl = (image: string): string => `/sso/wechat/confirm?t=${scanTokenOf(image)}`;

async function readLogin(t: TestDb) {
  return await t.db
    .selectFrom('ssoLogin')
    .select(['openId', 'unionId', 'nickname', 'decision', 'scannedAt'])
    .executeTakeFirstOrThrow();
}

test('the phone is redirected to WeChat, and then asked to confirm who logs in and where', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  await sql`update sso_login set user_agent = ${'Mozilla/5.0 (Windows NT 10.0) Chrome/150.0 <b>"'}`.execute(t.db);
  const phone = openPhone(sso);

  const { status, headers } = await phone.get(desktop.image);
  expect(status).toBe(303);
  const asked = new URL(String(headers['location']));
  expect([asked.pathname, asked.hash]).toEqual(['/connect/oauth2/authorize', '#wechat_redirect']);
  expect(asked.searchParams.get('redirect_uri')).toBe('http://localhost/sso/wechat/callback');
  expect(asked.searchParams.get('state')).toMatch(/^[0-9a-z]{64}$/);

  await phone.returnFromWechat(asked.searchParams.get('state') ?? '', issueCode(sso));
  const { text } = await phone.get(confirmUrl(desktop.image));
  for (const words of ['测试用户甲', 'localhost', 'Chrome · Windows', '浙江省杭州市 · 127.0.0.1', '确认登录', '取消'])
    expect(text).toContain(words);
  expect((await fetchLogin(desktop)).status).toBe('pending');

  await phone.decide(desktop.image, 'confirmed');
  expect((await phone.get(confirmUrl(desktop.image))).text).toContain('已确认登录');
  expect(await fetchCode(desktop)).toMatch(/^[\w-]{22}$/);
});

test('values of the request are escaped in the page', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  await sql`update sso_login set site = ${'<script>alert(1)</script>'}`.execute(t.db);
  const phone = openPhone(sso);
  await phone.returnFromWechat(await phone.scan(image), issueCode(sso));

  const { text } = await phone.get(confirmUrl(image));

  expect(text).not.toContain('<script');
  expect(text).toContain('&lt;script&gt;');
});

test('outside WeChat the page says how to scan, and records no scan', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { browser, image } = await openDesktop(sso);

  const { status, text } = await browser.call('GET', new URL(image).pathname + new URL(image).search);

  expect(status).toBe(200);
  expect(text).toContain('请用微信扫一扫');
  expect((await readLogin(t)).scannedAt).toBeNull();
});

test('refusing at WeChat and cancelling on the confirmation page both cancel', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const [one, other] = [await openDesktop(sso), await openDesktop(sso)];
  const phone = openPhone(sso);

  await phone.returnFromWechat(await phone.scan(one.image));
  await phone.returnFromWechat(await phone.scan(other.image), issueCode(sso));
  await phone.decide(other.image, 'cancelled');

  for (const { image } of [one, other]) expect((await phone.get(confirmUrl(image))).text).toContain('已取消登录');
  await phone.decide(other.image, 'confirmed');
  expect((await fetchLogin(other)).status).toBe('pending');
});

test('a callback that arrives twice with the same code asks WeChat once', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const phone = openPhone(sso);
  const state = await phone.scan(image);
  const code = issueCode(sso);

  const replies = await Promise.all([phone.returnFromWechat(state, code), phone.returnFromWechat(state, code)]);

  for (const { status, headers } of replies)
    expect([status, headers['location']]).toEqual([303, `http://localhost${confirmUrl(image)}`]);
  await expect.poll(async () => (await phone.get(confirmUrl(image))).text).toContain('确认登录通途');
});

test('one WeChat code sent to two logins at once identifies the user at one of them', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const phones = [openPhone(sso), openPhone(sso)];
  const states = await Promise.all(phones.map(async (phone) => await phone.scan((await openDesktop(sso)).image)));
  const code = issueCode(sso);

  await Promise.all(phones.map(async (phone, index) => await phone.returnFromWechat(states[index] ?? '', code)));

  const known = await t.db.selectFrom('ssoLogin').select('openId').where('openId', 'is not', null).execute();
  expect(known).toHaveLength(1);
});

test('a second phone, and a browser that never scanned, cannot confirm', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const [first, second, unscanned] = [openPhone(sso), openPhone(sso), openPhone(sso)];
  const [firstState, secondState] = [await first.scan(image), await second.scan(image)];
  await first.returnFromWechat(firstState, issueCode(sso));

  await second.returnFromWechat(secondState, issueCode(sso, 1));
  const refused = await unscanned.returnFromWechat(firstState, issueCode(sso, 1));
  for (const phone of [second, unscanned]) await phone.decide(image, 'confirmed');

  expect((await second.get(confirmUrl(image))).text).toContain('二维码已被其他手机扫描');
  expect(refused.status).toBe(400);
  expect(await readLogin(t)).toMatchObject({ nickname: '测试用户甲', decision: null });
});

test('another site cannot confirm for the phone', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const phone = openPhone(sso);
  await phone.returnFromWechat(await phone.scan(image), issueCode(sso));

  const form = `t=${scanTokenOf(image)}&decision=confirmed`;
  const { status } = await phone.browser.call('POST', '/sso/wechat/confirm', form, {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'http://nas.localhost',
    'sec-fetch-site': 'same-site',
  });

  expect(status).toBe(403);
  expect((await readLogin(t)).decision).toBeNull();
});

test('unknown and expired QR codes are reported as such', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const phone = openPhone(sso);
  await sql`update sso_login set expires_at = now()`.execute(t.db);

  expect((await phone.get(image)).text).toContain('二维码已过期');
  expect((await phone.get(`/sso/wechat/scan?t=${'0'.repeat(32)}`)).text).toContain('二维码无效');
  expect((await phone.get('/sso/wechat/scan?t=../..')).status).toBe(404);
});

/** Makes the login older by this time. */
async function age(t: TestDb, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await sql`update sso_login set created_at = created_at - ${by}, expires_at = expires_at - ${by}`.execute(t.db);
}

test.each([
  { scannedAfter: 110, decidedAfter: 160, decision: 'confirmed', words: '已确认登录' },
  { scannedAfter: 110, decidedAfter: 166, decision: null, words: '二维码已过期' },
  { scannedAfter: 5, decidedAfter: 150, decision: 'confirmed', words: '已确认登录' },
])(
  'scanned after $scannedAfter s and confirmed after $decidedAfter s, the phone shows $words',
  async ({ scannedAfter, decidedAfter, decision, words }) => {
    await using t = await openTestDb();
    await using sso = await openTestSso(t);
    const { image } = await openDesktop(sso);
    const phone = openPhone(sso);
    await age(t, scannedAfter);
    await phone.returnFromWechat(await phone.scan(image), issueCode(sso));
    await age(t, decidedAfter - scannedAfter);

    await phone.decide(image, 'confirmed');

    expect((await readLogin(t)).decision).toBe(decision);
    expect((await phone.get(confirmUrl(image))).text).toContain(words);
  },
);

test('a QR code can no longer be scanned shortly before the login page removes it', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  await age(t, 116);

  expect((await openPhone(sso).get(image)).text).toContain('二维码已过期');
  expect((await readLogin(t)).scannedAt).toBeNull();
});

test('only the phone that confirmed a login is informed that its QR code was used', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const [phone, other] = [openPhone(sso), openPhone(sso)];
  await phone.returnFromWechat(await phone.scan(image), issueCode(sso));
  await phone.decide(image, 'confirmed');
  await t.db.deleteFrom('ssoLogin').execute();

  for (const url of [confirmUrl(image), image]) {
    expect((await phone.get(url)).text).toContain('二维码已经用过');
    expect((await other.get(url)).text).toContain('二维码无效');
  }
  await other.decide(image, 'confirmed');
  expect((await other.get(confirmUrl(image))).text).toContain('二维码无效');
});

test('a browser that confirms its own login, as inside WeChat, is redirected to the login page', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const phone = openPhone(sso);
  const own = await openDesktop(sso, phone.browser);
  await phone.returnFromWechat(await phone.scan(own.image), issueCode(sso));
  await phone.decide(own.image, 'confirmed');

  const confirmed = (await phone.get(confirmUrl(own.image))).text;
  expect(confirmed).toContain('<meta http-equiv="refresh" content="1;url=/#/login" />');
  expect(confirmed).toContain('href="/#/login"');
  expect(confirmed).not.toContain('电脑');
  await fetchCode(own);
  await t.db.deleteFrom('ssoLogin').execute();
  const used = (await phone.get(confirmUrl(own.image))).text;
  expect(used).toContain('二维码已经用过');
  expect(used).toContain('href="/#/login"');
  expect(used).not.toContain('refresh');

  const { image } = await openDesktop(sso);
  await phone.returnFromWechat(await phone.scan(image), issueCode(sso));
  await phone.decide(image, 'confirmed');
  const otherLogin = (await phone.get(confirmUrl(image))).text;
  expect(otherLogin).toContain('请回到电脑上继续');
  expect(otherLogin).not.toContain('/#/login');
});

test('a browser that cancels its own login, or is too late, gets a link to the login page but no redirect', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const phone = openPhone(sso);
  const cancelled = await openDesktop(sso, phone.browser);
  await phone.returnFromWechat(await phone.scan(cancelled.image));
  const notices = [(await phone.get(confirmUrl(cancelled.image))).text];
  const late = await openDesktop(sso, phone.browser);
  await sql`update sso_login set expires_at = now()`.execute(t.db);
  notices.push((await phone.get(late.image)).text);
  const unknown = await openDesktop(sso, phone.browser);
  notices.push((await phone.returnFromWechat(await phone.scan(unknown.image), 'made-up')).text);

  for (const [index, title] of ['已取消登录', '二维码已过期', '微信授权已失效'].entries()) {
    expect(notices[index]).toContain(title);
    expect(notices[index]).toContain('href="/#/login"');
    expect(notices[index]).not.toContain('电脑');
    expect(notices[index]).not.toContain('refresh');
  }
});

test('a refused WeChat code is reported, and the QR code can be scanned again', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const phone = openPhone(sso);

  expect((await phone.returnFromWechat(await phone.scan(image), 'made-up')).text).toContain('微信授权已失效');
  expect((await phone.returnFromWechat(await phone.scan(image), issueCode(sso, 3))).text).toContain('使用完整服务');
});

test.each([
  ['an app secret that is wrong', { appSecret: 'wrong' }, '微信登录暂时不可用'],
  ['an app that is unknown', { appId: 'wxother' }, '微信登录暂时不可用'],
  ['a WeChat that cannot be reached', { apiUrl: 'http://127.0.0.1:1' }, '暂时连不上微信'],
])('%s is reported on the page', async (_name, wechat, words) => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t, { wechat });
  const { image } = await openDesktop(sso);
  const phone = openPhone(sso);

  expect((await phone.returnFromWechat(await phone.scan(image), issueCode(sso))).text).toContain(words);
});

test('over https the phone’s cookie has the prefix __Host- and lasts ten minutes', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const headers = { 'user-agent': 'MicroMessenger', 'x-forwarded-proto': 'https' };

  const reply = await sso.app.inject({ url: `/sso/wechat/scan?t=${scanTokenOf(image)}`, headers });

  expect(reply.headers['set-cookie']).toMatch(
    /^__Host-sso_phone=[\w-]{22}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('a phone that opens the QR code twice over https keeps its cookie', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);
  const scan = async (cookie?: string) => {
    const headers = { 'user-agent': 'MicroMessenger', 'x-forwarded-proto': 'https', ...(cookie && { cookie }) };
    const reply = await sso.app.inject({ url: `/sso/wechat/scan?t=${scanTokenOf(image)}`, headers });
    return { cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', location: reply.headers.location };
  };

  const first = await scan();

  expect(await scan(first.cookie)).toEqual(first);
});

test('of two concurrent decisions the first counts', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const desktop = await openDesktop(sso);
  const phone = openPhone(sso);
  await phone.returnFromWechat(await phone.scan(desktop.image), issueCode(sso));

  await Promise.all([phone.decide(desktop.image, 'cancelled'), phone.decide(desktop.image, 'confirmed')]);
  const { decision } = await readLogin(t);
  await phone.decide(desktop.image, decision === 'confirmed' ? 'cancelled' : 'confirmed');

  expect((await readLogin(t)).decision).toBe(decision);
  expect((await fetchLogin(desktop)).status).toBe(decision === 'confirmed' ? 'ok' : 'pending');
});

test('a confirmed login stores the open id and the union id', async () => {
  await using t = await openTestDb();
  await using sso = await openTestSso(t);
  const { image } = await openDesktop(sso);

  await confirmByPhone(sso, image, 2);

  expect(await readLogin(t)).toMatchObject({ openId: 'oFake-0000000000000000000003', unionId: null });
});
