import type { AlertTarget } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertAccount, testKeys } from '../../../testing/apps/open-account-app.ts';
import { createMailer } from '../../mail/index.ts';
import { captureLog } from '../../../testing/capture-log.ts';
import { startSmtpServer } from '../../../testing/smtp-server.ts';
import { DevelopmentCodes } from '../../development/index.ts';
import { writeMessage } from './alert-message.ts';
import { sealTarget } from './channel-target.ts';
import { sendMessage, type SendDeps } from './send-message.ts';
import { offlineDetails, senderDeps } from '../testing/alert-fixtures.ts';
import type { Receiver } from '../testing/receiver.ts';
import {
  barkKey,
  dingtalkToken,
  feishuHook,
  robotSecret,
  sendKey,
  startFakeBark,
  startFakeDingtalk,
  startFakeFeishu,
  startFakeServerchan,
  startFakeWebhook,
  startFakeWecom,
  webhookSecret,
  wecomKey,
} from '../testing/fake-providers.ts';

const message = writeMessage('https://tongtu.example.com', offlineDetails({ id: 1, name: '客厅 *NAS*' }));
const plain = [
  '【通途】客厅 *NAS* 已离线',
  '离线时间：2026-11-21 16:00（北京时间）',
  '设备与服务器之间的网络断开了',
  'https://tongtu.example.com/#/devices?domain=0123456789ab&diagnose=1',
].join('\n');

type Case = {
  start: () => Promise<Receiver>;
  target: (origin: string) => AlertTarget;
  wrong: (origin: string) => AlertTarget;
  /** Parses a request's body. */
  parse: (body: string) => unknown;
  expected: unknown;
};

const wecomUrl = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=';
const dingtalkUrl = 'https://oapi.dingtalk.com/robot/send?access_token=';
const feishuUrl = 'https://open.feishu.cn/open-apis/bot/v2/hook/';

const cases: Record<Exclude<AlertTarget['kind'], 'email'>, Case> = {
  webhook: {
    start: startFakeWebhook,
    target: (origin) => ({ kind: 'webhook', url: `${origin}/hook`, secret: webhookSecret }),
    wrong: (origin) => ({ kind: 'webhook', url: `${origin}/hook`, secret: 'another' }),
    parse: (body) => JSON.parse(body),
    expected: {
      event: 'device_offline',
      title: '客厅 *NAS* 已离线',
      text: '客厅 *NAS* 已离线，离线时间：2026-11-21 16:00（北京时间），设备与服务器之间的网络断开了',
      url: message.url,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      device: {
        id: 1,
        uid: '0123456789ab',
        name: '客厅 *NAS*',
        offline_since: '2026-11-21T08:00:00.000Z',
        offline_reason: 'connection_lost',
      },
      devices: [expect.objectContaining({ id: 1 })],
    },
  },
  wecom: {
    start: startFakeWecom,
    target: () => ({ kind: 'wecom', url: wecomUrl + wecomKey }),
    wrong: () => ({ kind: 'wecom', url: `${wecomUrl}ffffffff-ffff` }),
    parse: (body) => JSON.parse(body),
    expected: { msgtype: 'text', text: { content: plain } },
  },
  dingtalk: {
    start: startFakeDingtalk,
    target: () => ({ kind: 'dingtalk', url: dingtalkUrl + dingtalkToken, secret: robotSecret }),
    wrong: () => ({ kind: 'dingtalk', url: dingtalkUrl + dingtalkToken, secret: 'SECanother' }),
    parse: (body) => JSON.parse(body),
    expected: { msgtype: 'text', text: { content: plain } },
  },
  feishu: {
    start: startFakeFeishu,
    target: () => ({ kind: 'feishu', url: feishuUrl + feishuHook, secret: robotSecret }),
    wrong: () => ({ kind: 'feishu', url: feishuUrl + feishuHook }),
    parse: (body) => JSON.parse(body),
    expected: expect.objectContaining({ msg_type: 'text', content: { text: plain } }),
  },
  bark: {
    start: startFakeBark,
    target: (origin) => ({ kind: 'bark', url: `${origin}/${barkKey}/` }),
    wrong: (origin) => ({ kind: 'bark', url: `${origin}/ffffffffffffffffffffff` }),
    parse: (body) => JSON.parse(body),
    expected: {
      device_key: barkKey,
      title: '客厅 *NAS* 已离线',
      body: '离线时间：2026-11-21 16:00（北京时间）\n设备与服务器之间的网络断开了',
      group: '通途',
      url: message.url,
    },
  },
  serverchan: {
    start: startFakeServerchan,
    target: () => ({ kind: 'serverchan', send_key: sendKey }),
    wrong: () => ({ kind: 'serverchan', send_key: 'SCTffffffffffff' }),
    parse: (body) => Object.fromEntries(new URLSearchParams(body)),
    expected: {
      title: '客厅 *NAS* 已离线',
      desp: `离线时间：2026-11-21 16:00（北京时间）\n\n设备与服务器之间的网络断开了\n\n${message.url}`,
      noip: '1',
    },
  },
};

const kinds = Object.keys(cases) as (keyof typeof cases)[]; // the keys of the table

async function send(deps: SendDeps, target: AlertTarget, userId = 1) {
  const { targetSealed } = sealTarget({ ...testKeys, allowedAddresses: 'any' }, { userId }, target);
  return await sendMessage(deps, { userId, kind: target.kind, targetSealed }, message, new AbortController().signal);
}

test.each(kinds)('%s accepts a message in its documented format', async (kind) => {
  const { start, target, parse, expected } = cases[kind];
  await using t = await openTestDb();
  await using provider = await start();

  expect(await send(senderDeps(t.db, { providerOrigin: () => provider.origin }), target(provider.origin))).toBe(
    undefined,
  );

  expect(provider.received.map(({ body }) => parse(body))).toEqual([expected]);
});

test.each(kinds)('%s rejects a wrong key or secret', async (kind) => {
  const { start, wrong } = cases[kind];
  await using t = await openTestDb();
  await using provider = await start();

  expect(await send(senderDeps(t.db, { providerOrigin: () => provider.origin }), wrong(provider.origin))).toBe(
    'rejected',
  );
});

test.each([
  ['wecom', 200, { errcode: 45009, errmsg: 'api freq out of limit' }, 'rate_limited'],
  ['wecom', 200, { errcode: -1, errmsg: 'system busy' }, 'server_error'],
  ['wecom', 200, '<html>portal</html>', 'server_error'],
  ['wecom', 502, 'bad gateway', 'server_error'],
  ['dingtalk', 200, { errcode: 130101, errmsg: 'send too fast' }, 'rate_limited'],
  ['dingtalk', 200, { errcode: 410100, errmsg: 'send too fast' }, 'rate_limited'],
  ['dingtalk', 200, { errcode: 310000, errmsg: 'keywords not in content' }, 'rejected'],
  ['feishu', 200, { code: 11232, msg: 'frequency limited' }, 'rate_limited'],
  ['feishu', 400, { code: 9499, msg: 'too many request' }, 'rate_limited'],
  ['feishu', 400, { code: 9499, msg: 'Bad Request' }, 'rejected'],
  ['feishu', 200, { code: 19024, msg: 'Key Content Not Found' }, 'rejected'],
  ['bark', 500, { code: 500, message: 'push failed' }, 'server_error'],
  ['bark', 200, { code: 400, message: 'request bind failed' }, 'rejected'],
  ['serverchan', 400, { code: 40001, message: '超过当天的发送次数限制[5]' }, 'rejected'],
  ['serverchan', 429, 'slow down', 'rate_limited'],
  ['webhook', 200, '', undefined],
  ['webhook', 302, '', 'rejected'],
  ['webhook', 404, '', 'rejected'],
  ['webhook', 429, '', 'rate_limited'],
  ['webhook', 503, '', 'server_error'],
] as const)('%s answering %i %j: %s', async (kind, status, body, failure) => {
  const { start, target } = cases[kind];
  await using t = await openTestDb();
  await using provider = await start();
  provider.respond = () => ({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });

  expect(await send(senderDeps(t.db, { providerOrigin: () => provider.origin }), target(provider.origin))).toBe(
    failure,
  );
});

test('a message to a robot without a secret has no signature', async () => {
  await using t = await openTestDb();
  await using provider = await startFakeDingtalk();

  const target = { kind: 'dingtalk', url: dingtalkUrl + dingtalkToken } as const;
  expect(await send(senderDeps(t.db, { providerOrigin: () => provider.origin }), target)).toBe('rejected');

  expect([...(provider.received[0]?.query.keys() ?? [])]).toEqual(['access_token']);
});

test.each([
  [`/${barkKey}/这里改成你自己的推送内容`, '/push'],
  [`/bark/${barkKey}`, '/bark/push'],
  [`/a/b/${barkKey}/?isArchive=1`, '/a/b/push'],
])('an address of Bark can be %s', async (path, pushed) => {
  await using t = await openTestDb();
  await using provider = await startFakeBark();

  expect(await send(senderDeps(t.db), { kind: 'bark', url: provider.origin + path })).toBe(undefined);

  expect(provider.received[0]?.path).toBe(pushed);
});

test.each([
  ['SCT1234567890abcdef', 'https://sctapi.ftqq.com'],
  ['sctp123tabcdefghijkl', 'https://123.push.ft07.com'],
])('the SendKey %s belongs to %s', async (key, origin) => {
  await using t = await openTestDb();
  await using provider = await startFakeServerchan();
  const origins: string[] = [];
  const providerOrigin = (real: string): string => {
    origins.push(real);
    return provider.origin;
  };

  await send(senderDeps(t.db, { providerOrigin }), { kind: 'serverchan', send_key: key });

  expect(origins).toEqual([origin]);
});

test('a private address, a refused connection and a timeout are different failures', async () => {
  await using t = await openTestDb();
  await using silent = await startFakeWebhook();
  silent.respond = () => undefined;
  const closed = await startFakeWebhook();
  await closed[Symbol.asyncDispose]();
  const to = (origin: string) => ({ kind: 'webhook', url: origin }) as const;

  expect(await send(senderDeps(t.db, { allowedAddresses: 'public' }), to(silent.origin))).toBe('address_refused');
  expect(await send(senderDeps(t.db, { timeoutMs: 50 }), to(silent.origin))).toBe('timeout');
  expect(await send(senderDeps(t.db), to(closed.origin))).toBe('unreachable');
});

test('mail goes to the account’s current address, and its failures are distinguished', async () => {
  await using t = await openTestDb();
  await using mail = await startSmtpServer();
  await using refusing = await startSmtpServer({ recipientAnswer: '550 5.1.1 no such user' });
  await using busy = await startSmtpServer({ recipientAnswer: '450 4.2.0 try later' });
  const userId = await insertAccount(t.db, { email: 'li@example.com' });
  const withoutEmail = await insertAccount(t.db, { username: 'wang' });
  const mailerTo = (port: number) =>
    createMailer(
      { provider: 'smtp', url: `smtp://127.0.0.1:${port}`, from: 'a@example.com' },
      new DevelopmentCodes(senderDeps(t.db).log),
    );
  const email = { kind: 'email' } as const;

  expect(await send(senderDeps(t.db, { mailer: mailerTo(mail.port) }), email, userId)).toBe(undefined);
  expect(mail.received).toMatchObject([{ to: ['li@example.com'] }]);
  expect(await send(senderDeps(t.db, { mailer: mailerTo(refusing.port) }), email, userId)).toBe('rejected');
  const logged = captureLog();
  expect(await send(senderDeps(t.db, { mailer: mailerTo(busy.port), log: logged.log }), email, userId)).toBe(
    'mail_failed',
  );
  expect(logged.lines).toMatchObject([{ userId, msg: 'an alert could not be mailed' }]);
  expect(JSON.stringify(logged.lines)).toContain('450 4.2.0 try later');
  expect(await send(senderDeps(t.db), email, userId)).toBe('mail_unavailable');
  expect(await send(senderDeps(t.db, { mailer: mailerTo(mail.port) }), email, withoutEmail)).toBe('email_missing');
});

test('a mail server that refuses the sender does not reject the recipient', async () => {
  await using t = await openTestDb();
  await using mail = await startSmtpServer({ user: { name: 'a', password: 'b' } }); // 530 to MAIL FROM without a login
  const userId = await insertAccount(t.db, { email: 'li@example.com' });
  const settings = { provider: 'smtp', url: `smtp://127.0.0.1:${mail.port}`, from: 'a@example.com' } as const;
  const mailer = createMailer(settings, new DevelopmentCodes(senderDeps(t.db).log));

  expect(await send(senderDeps(t.db, { mailer }), { kind: 'email' }, userId)).toBe('mail_failed');
});

test('sending a mail ends after a timeout or when the server stops', async () => {
  await using t = await openTestDb();
  const userId = await insertAccount(t.db, { email: 'li@example.com' });
  const started = Promise.withResolvers<void>();
  const mailer = {
    send: async () => {
      started.resolve();
      await new Promise<never>(() => undefined);
    },
  };
  const email = { kind: 'email' } as const;

  expect(await send(senderDeps(t.db, { mailer, timeoutMs: 20 }), email, userId)).toBe('mail_failed');

  const abort = new AbortController();
  const { targetSealed } = sealTarget({ ...testKeys, allowedAddresses: 'any' }, { userId }, email);
  const sending = sendMessage(senderDeps(t.db, { mailer }), { userId, ...email, targetSealed }, message, abort.signal);
  await started.promise;
  abort.abort(new Error('the server stops'));
  await expect(sending).rejects.toThrow('the server stops');
});

test.each(['feishu', 'wecom'] as const)('the name of a device mentions nobody in a group of %s', async (kind) => {
  const { start, target } = cases[kind];
  await using t = await openTestDb();
  await using provider = await start();
  const named = writeMessage(
    'https://tongtu.example.com',
    offlineDetails({ id: 1, name: '<at user_id="all"></at><@li>' }),
  );
  const { targetSealed } = sealTarget({ ...testKeys, allowedAddresses: 'any' }, { userId: 1 }, target(''));
  const deps = senderDeps(t.db, { providerOrigin: () => provider.origin });

  await sendMessage(deps, { userId: 1, kind, targetSealed }, named, new AbortController().signal);

  expect(provider.received[0]?.body).toContain('＜at user_id=');
  expect(provider.received[0]?.body).not.toMatch(/[<>]/);
});
