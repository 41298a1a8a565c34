import type { Member } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';

async function insertPerson(t: TestDb, fields: { email?: string; phoneNumber?: string; phoneBoundAt?: Date }) {
  const id = await insertUser(t.db, 'zhao');
  await t.db.updateTable('userAccount').set(fields).where('id', '=', id).execute();
  return id;
}

async function add({ owner, mappingId }: Awaited<ReturnType<typeof openGateApp>>, contact: string) {
  return await owner.call('POST', `/api/user/records/${mappingId}/members/`, { contact });
}

test.each([
  ['13800138000', { phoneNumber: '+8613800138000', phoneBoundAt: new Date() }, '+8613800138000'],
  ['\u202D13800138000\u202C', { phoneNumber: '+8613800138000', phoneBoundAt: new Date() }, '+8613800138000'],
  ['+86 138-0013-8000', { phoneNumber: '+8613800138000', phoneBoundAt: new Date() }, '+8613800138000'],
  [' Zhao@Example.COM ', { email: 'zhao@example.com' }, 'zhao@example.com'],
])('%s may come in when added, and no longer when removed', async (contact, fields, normalized) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, fields));
  expect(await check(member)).toMatchObject({ allowed: false, reason: 'not_allowed' });

  const { status, body } = await add(gate, contact);
  const { id } = body as Member;

  expect([status, body]).toMatchObject([201, { contact: normalized, mapping: gate.mappingId }]);
  const reply = await check(member);
  expect(reply).toMatchObject({ allowed: true, reason: 'ok' });
  expect(reply.device).toBeUndefined();
  await gate.redeem(ticketOf(reply));
  const waiting = ticketOf(await check(member));
  expect(await gate.records()).toMatchObject([{ granted_by: 'member', who: normalized, revoked_at: null }]);

  expect((await gate.owner.call('DELETE', `/api/user/members/${id}/`)).status).toBe(200);
  expect(await gate.records()).toMatchObject([{ who: normalized, revoked_at: expect.any(String) }]);
  expect(await check(member)).toMatchObject({ allowed: false, reason: 'not_allowed' });
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
  expect((await gate.owner.call('DELETE', `/api/user/members/${id}/`)).status).toBe(404);
});

test('a member of one mapping cannot open other mappings, by e-mail or phone', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const other = await insertMapping(t.db, { ...gate, prefix: 'photos' });
  const phone = { phoneNumber: '+8613800138000', phoneBoundAt: new Date() };
  const member = await gate.app.browserOf(await insertPerson(t, { email: 'zhao@example.com', ...phone }));
  await add({ ...gate, mappingId: other }, 'zhao@example.com');
  await add({ ...gate, mappingId: other }, '13800138000');
  expect(await check(member)).toMatchObject({ allowed: false, reason: 'not_allowed' });
});

test('adding a member does not reveal whether the account exists; invalid and repeated contacts are refused', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertPerson(t, { email: 'zhao@example.com' });

  const [known, unknown] = [await add(gate, 'zhao@example.com'), await add(gate, 'nobody@example.com')];

  const pending = { joined_at: null, expires_at: null, account: '' };
  const shape = { ...pending, mapping: gate.mappingId, id: expect.any(Number), created_at: expect.any(String) };
  expect([known.body, unknown.body]).toEqual([
    { ...shape, contact: 'zhao@example.com' },
    { ...shape, contact: 'nobody@example.com' },
  ]);
  expect(await add(gate, 'ZHAO@example.com')).toMatchObject({ status: 409, body: { code: 'member.exists' } });
  for (const contact of ['a@', '@', '12', 'zhao', 'a@b@c.de', 'a@b-.de', '+1 202 555 0123']) {
    const refused = await add(gate, contact);
    expect(refused, contact).toMatchObject({ status: 422, body: { code: 'member.contact-invalid' } });
  }
});
