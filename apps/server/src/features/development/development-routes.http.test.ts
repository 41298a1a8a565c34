import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { DevelopmentCodes } from './development-codes.ts';
import { registerDevelopmentRoutes } from './development-routes.ts';

const log = pino({ level: 'silent' });
const from = (ip: string) => ({ 'x-forwarded-for': ip, origin: undefined });

test('the page lists the last codes and says that it is for development', async () => {
  await using t = await openTestDb();
  const codes = new DevelopmentCodes(log);
  await using app = await openTestApp(t.db, (server) => registerDevelopmentRoutes(server, codes));
  expect((await app.browser().call('GET', '/dev/codes')).text).toContain('还没有发送过验证码');
  codes.add({ channel: 'sms', address: '+8613800138000', purpose: 'login', code: '012345' });
  codes.add({ channel: 'mail', address: '<script>@example.com', purpose: '"bind"', code: '543210' });

  const { status, text, headers } = await app.browser().call('GET', '/dev/codes');

  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toContain('开发环境');
  expect(text.indexOf('543210')).toBeLessThan(text.indexOf('012345'));
  expect(text).not.toContain('<script>');
});

test.each(['203.0.113.7', '192.168.1.5', '2001:db8::1', 'fe80::1%eth0'])('%s gets 404', async (ip) => {
  await using t = await openTestDb();
  const codes = new DevelopmentCodes(log);
  codes.add({ channel: 'sms', address: '+8613800138000', purpose: 'login', code: '012345' });
  await using app = await openTestApp(t.db, (server) => registerDevelopmentRoutes(server, codes));

  const { status, text } = await app.browser().call('GET', '/dev/codes', undefined, from(ip));

  expect(status).toBe(404);
  expect(text).not.toContain('012345');
});

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('%s counts as this machine', async (ip) => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (server) => registerDevelopmentRoutes(server, new DevelopmentCodes(log)));

  expect((await app.browser().call('GET', '/dev/codes', undefined, from(ip))).status).toBe(200);
});
