import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { insertAccount, openAccountApp } from '../../testing/apps/open-account-app.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { addTestChannel } from './testing/alert-fixtures.ts';

test('a new passkey is reported, with its name and where it was added, to channels that want to hear of it', async () => {
  await using t = await openTestDb();
  await using app = await openAccountApp(t.db);
  const userId = await insertAccount(t.db);
  const channelId = await addTestChannel(t.db, userId, { events: ['passkey_added'] });
  await addTestChannel(t.db, userId, { events: ['new_login'] });
  const browser = await app.browserOf(userId);
  const asked = await browser.call('POST', '/api/user/passkeys/options/');
  const { options } = asked.body as { options: Record<string, unknown> };

  const response = new SoftwareAuthenticator().create(options);
  const from = { 'x-forwarded-for': '202.96.209.5', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0' };
  await browser.call('POST', '/api/user/passkeys/', { name: '我的手机', response }, from);

  const deliveries = await t.db.selectFrom('alertDelivery').select(['channelId', 'details']).execute();
  const where = { browser: 'Firefox · Linux', place: '上海市', ip: '202.96.209.5' };
  expect(deliveries).toEqual([
    { channelId, details: { event: 'passkey_added', name: '我的手机', ...where, at: expect.any(String) } },
  ]);
});
