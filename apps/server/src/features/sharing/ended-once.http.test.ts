import type { ShareLink } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { notify } from '../../db/notify.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

const markClient = ({ mappingId }: Gate) => `/api/user/records/${mappingId}/mark_client/`;

async function createLink({ owner, mappingId }: Gate): Promise<ShareLink> {
  const { body } = await owner.call('POST', `/api/user/records/${mappingId}/shares/`, { valid_hours: 24 });
  return body as ShareLink;
}

async function comeIn(gate: Gate): Promise<void> {
  await gate.redeem(ticketOf(await check(gate.owner)));
}

type Ended = [what: string, prepare: (gate: Gate) => Promise<string>];

test.each<Ended>([
  ['a share link', async (gate) => `/api/user/shares/${(await createLink(gate)).id}/`],
  [
    'a verification',
    async (gate) => {
      await comeIn(gate);
      return `/api/user/verifications/${(await gate.records())[0]?.id}/`;
    },
  ],
  [
    'a client window',
    async (gate) => {
      await gate.owner.call('POST', markClient(gate));
      return markClient(gate);
    },
  ],
])('ending %s many times notifies relays and pages once, and does not wait for locks', async (_, prepare) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const path = await prepare(gate);
  const end = async () => (await gate.owner.call('DELETE', path)).status;
  const relays: unknown[] = [];
  const pages: unknown[] = [];
  await using _relays = await t.listen(
    'device_changed',
    (text) => relays.push(JSON.parse(text)),
    () => undefined,
  );
  await using _pages = await t.listen(
    'live',
    (text) => pages.push(JSON.parse(text)),
    () => undefined,
  );

  expect(await end()).toBe(200);
  await t.db.transaction().execute(async (tx) => {
    await tx.selectFrom('mapping').where('id', '=', gate.mappingId).select('id').forUpdate().execute();
    expect([await end(), await end()]).toEqual([200, 200]);
  });

  // Notices come in the order of their commits.
  const last = { is: 'the last' };
  for (const channel of ['device_changed', 'live'] as const) await notify(t.db, channel, last);
  await expect.poll(() => [relays.at(-1), pages.at(-1)]).toEqual([last, last]);
  expect(relays).toEqual([{ deviceId: gate.deviceId, version: expect.any(String) }, last]);
  const topics = ['devices', 'verifications'];
  expect(pages).toEqual([...topics.map((topic) => ({ userId: gate.userId, topic })), last]);
});

test('closing a window that is not open succeeds, and that of another user is not found', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);

  expect(await gate.owner.call('DELETE', markClient(gate))).toMatchObject({ status: 200, body: { state: 'none' } });
  expect(await gate.owner.call('DELETE', '/api/user/records/999999/mark_client/')).toMatchObject({
    status: 404,
    body: { code: 'mapping.not-found' },
  });
});
