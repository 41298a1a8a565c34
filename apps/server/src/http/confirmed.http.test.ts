import { AppError, endpoints, type Endpoint, type EndpointKey } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb } from '../db/open-test-db.ts';
import { insertAccount } from '../testing/apps/open-account-app.ts';
import { openTestApp, type TestBrowser } from '../testing/apps/open-test-app.ts';
import { mount } from './mount.ts';

const keys = Object.keys(endpoints) as EndpointKey[]; // the keys of the table
const modeOf = (key: EndpointKey) => (endpoints[key] as Endpoint).confirmed;
const confirmed = keys.filter((key) => modeOf(key) !== undefined && modeOf(key) !== 'by-content');
const always = confirmed.filter((key) => modeOf(key) === true);

/** The calls that refuse this browser because it has not confirmed its identity. */
async function findRefused(browser: TestBrowser): Promise<EndpointKey[]> {
  const refused: EndpointKey[] = [];
  for (const key of confirmed) {
    const [method, path] = key.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string]; // "METHOD /path/"
    const reply = await browser.call(method, path.replace('{id}', '1'), method === 'GET' ? undefined : {});
    if ((reply.body as { code: string }).code === 'session.confirm-required') refused.push(key);
  }
  return refused;
}

test('calls that need a confirmation are refused without one, some of them only with two-step login', async () => {
  await using t = await openTestDb();
  await using app = await openTestApp(t.db, (on) => {
    for (const key of confirmed) {
      mount(on, key, { login: 'required' }, async () => await Promise.reject(new AppError('server.unavailable')));
    }
  });
  const userId = await insertAccount(t.db, { isSuperuser: true }); // has every role
  const browser = await app.browserOf(userId);
  const confirmUntil = async (confirmedUntil: Date) =>
    await t.db.updateTable('session').set({ confirmedUntil }).execute();

  expect(await findRefused(browser)).toEqual([]);
  await confirmUntil(new Date(0));
  expect(always.length).toBeLessThan(confirmed.length);
  expect(await findRefused(browser)).toEqual(always);
  const secretSealed = Buffer.alloc(1);
  await t.db.insertInto('totp').values({ userId, secretSealed, confirmedAt: new Date() }).execute();
  expect(await findRefused(browser)).toEqual(confirmed);
  await confirmUntil(new Date(Date.now() + 60_000));
  expect(await findRefused(browser)).toEqual([]);
});
