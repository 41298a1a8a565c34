import type { CheckReply } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, insertPresence, insertRelay } from '../../testing/device-fixtures.ts';
import { noHttps } from '../../testing/apps/open-gate-app.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { hashPassword, verifyPassword } from '../users/index.ts';
import { registerGateRoutes } from './gate-routes.ts';

const url = 'http://mine.example.com:8080/x?y#z';
const host = 'console.example.com:9443';
const byHttps = { 'x-forwarded-proto': 'https', host, origin: `https://${host}` };

/** The owner of `mine.example.com`, whose name has a certificate, and a visitor. */
async function openGate(https: Partial<typeof noHttps> = {}, mapping: object = {}) {
  await using stack = new AsyncDisposableStack();
  const t = stack.use(await openTestDb());
  const home = await insertHome(t.db);
  await insertMapping(t.db, { ...home, customDomain: 'mine.example.com', ...mapping });
  await insertRelay(t.db, home);
  await insertPresence(t.db, { deviceId: home.deviceId });
  const hasCertificate = async (host: string) => host === 'mine.example.com';
  const place = { publicUrl: 'http://console.example.com:8080', tlsPort: 8443, allowedPorts: [8080, 8443] };
  const deps = { db: t.db, ...place, redirectsToHttps: false, hasCertificate, ...https };
  const app = stack.use(
    await openTestApp(t.db, (on) => registerGateRoutes(on, { ...deps, verifyPassword, wallClockMs: Date.now })),
  );
  const owner = await app.browserOf(home.userId);
  // A login over https sets the session cookie under its __Host- name.
  owner.cookies.set('__Host-sessionid', owner.cookies.get('sessionid') ?? '');
  const held = stack.move();
  return { owner, visitor: app.browser(), [Symbol.asyncDispose]: async () => await held.disposeAsync() };
}

async function check(browser: TestBrowser, headers?: Record<string, string>): Promise<CheckReply> {
  const { body } = await browser.call('GET', `/custom/check/?url=${encodeURIComponent(url)}`, undefined, headers);
  return body as CheckReply;
}

test('a check page over https redirects to https when the name has a certificate, also for an http address', async () => {
  await using gate = await openGate();

  const reply = await check(gate.owner, byHttps);

  expect(reply).toMatchObject({ allowed: true, reason: 'ok', url: 'https://mine.example.com:9443/x?y#z' });
  expect(reply.redirect).toMatch(/^https:\/\/mine\.example\.com:9443\/\.tongtu\/verify\?ticket=/);
  expect(await check(gate.owner)).toMatchObject({ url, redirect: expect.stringMatching(/^http:/) });
});

test('without a certificate an http address stays http', async () => {
  await using gate = await openGate(noHttps);

  expect(await check(gate.owner, byHttps)).toMatchObject({ url, redirect: expect.stringMatching(/^http:/) });
});

test('when http is redirected a ticket goes by https for every browser', async () => {
  await using gate = await openGate({ ...noHttps, redirectsToHttps: true });

  const { redirect } = await check(gate.owner);

  expect(redirect).toMatch(/^https:\/\/mine\.example\.com:8443\/\.tongtu\/verify\?ticket=/);
});

test('the ticket of a password goes by https, too', async () => {
  const passwordHash = await hashPassword('sesame');
  await using gate = await openGate({}, { policy: 'password', passwordHash });
  await check(gate.visitor, byHttps);

  const body = { url, password: 'sesame' };
  const reply = await gate.visitor.call('POST', '/custom/check/', body, byHttps);

  expect((reply.body as CheckReply).redirect).toMatch(/^https:\/\/mine\.example\.com:9443\//);
});
