import { apiScopes, type Member, type Membership } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { check, openGateApp, ticketOf } from '../../testing/apps/open-gate-app.ts';
import { openProgram } from '../../testing/apps/open-program.ts';
import type { TestBrowser } from '../../testing/apps/open-test-app.ts';

type Gate = Awaited<ReturnType<typeof openGateApp>>;

const path = '/api/user/shared_with_me/';
const phone = { phoneNumber: '+8613800138000', phoneBoundAt: new Date() };
const email = { email: 'Zhao@example.com' };
const notFound = { status: 404, body: { code: 'member.not-found' } };

async function insertPerson(t: TestDb, name: string, fields: object = {}): Promise<number> {
  const id = await insertUser(t.db, name);
  if (Object.keys(fields).length > 0) {
    await t.db.updateTable('userAccount').set(fields).where('id', '=', id).execute();
  }
  return id;
}

async function add(gate: Gate, contact: string, mappingId = gate.mappingId): Promise<number> {
  const { status, body } = await gate.owner.call('POST', `/api/user/records/${mappingId}/members/`, { contact });
  expect(status).toBe(201);
  return (body as Member).id;
}

async function listed(browser: Pick<TestBrowser, 'call'>): Promise<Membership[]> {
  const { status, body } = await browser.call('GET', path);
  expect(status).toBe(200);
  return body as Membership[];
}

test.each([
  ['phone number', phone, '138 0013 8000'],
  ['e-mail address', email, 'zhao@example.com'],
])('a mapping shared with the %s of an account is listed, without its device', async (_what, fields, contact) => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, 'zhao', fields));
  expect(await listed(member)).toEqual([]);

  const id = await add(gate, contact);

  expect(await listed(member)).toEqual([
    {
      ...{ id, domain: 'nas.localhost', url: 'http://nas.localhost:8080', owner: 'li', pinned: false },
      ...{ state: 'online', since: '2026-11-21T08:00:00.000Z', offline_reason: null },
      ...{ opens_at: null, closes_at: null, hours: null, created_at: expect.any(String) },
    },
  ]);
  expect(await listed(gate.owner)).toEqual([]);
  await gate.owner.call('DELETE', `/api/user/members/${id}/`);
  expect(await listed(member)).toEqual([]);
});

test('memberships of other users, and of the owner, are not listed', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  await insertPerson(t, 'zhao', { ...phone, ...email });
  const others = [
    await insertPerson(t, 'without'),
    await insertPerson(t, 'zhao@example.com'),
    await insertPerson(t, '+8613800138000'),
    await insertPerson(t, 'wang', {
      email: 'wang@example.com',
      phoneNumber: '+8613900139000',
      phoneBoundAt: new Date(),
    }),
  ];
  await t.db.updateTable('userAccount').set({ email: 'li@example.com' }).where('id', '=', gate.userId).execute();
  const ids = [await add(gate, 'zhao@example.com'), await add(gate, '13800138000')];
  const own = await add(gate, 'li@example.com');

  for (const userId of others) {
    const browser = await gate.app.browserOf(userId);
    expect(await listed(browser)).toEqual([]);
    for (const id of ids) expect(await browser.call('DELETE', `${path}${id}/`)).toMatchObject(notFound);
  }
  expect(await listed(gate.owner)).toEqual([]);
  for (const id of [...ids, own]) expect(await gate.owner.call('DELETE', `${path}${id}/`)).toMatchObject(notFound);
  expect(await gate.app.browser().call('GET', path)).toMatchObject({ status: 401 });
  expect(await t.db.selectFrom('mappingMember').select('id').execute()).toHaveLength(3);
});

test('a phone number or e-mail address counts as long as the account has it', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const userId = await insertPerson(t, 'zhao', email);
  const member = await gate.app.browserOf(userId);
  const id = await add(gate, 'zhao@example.com');
  expect(await listed(member)).toHaveLength(1);

  await t.db.updateTable('userAccount').set({ email: 'new@example.com' }).where('id', '=', userId).execute();

  expect(await listed(member)).toEqual([]);
  expect(await member.call('DELETE', `${path}${id}/`)).toMatchObject(notFound);
});

test('a mapping that cannot be opened now stays listed, with its public state', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, 'zhao', email));
  const [later, past] = [new Date('2999-01-01T00:00:00Z'), new Date('2001-01-01T00:00:00Z')];
  const away = await insertDevice(t.db, gate);
  const off = await insertDevice(t.db, { ...gate, enabled: false });
  const share = async (prefix: string, fields: object = {}, deviceId = gate.deviceId): Promise<void> => {
    const id = await insertMapping(t.db, { ...gate, deviceId, prefix });
    await add(gate, 'zhao@example.com', id);
    if (Object.keys(fields).length > 0) {
      await t.db.updateTable('mapping').set(fields).where('id', '=', id).execute();
    }
  };
  await share('public', { policy: 'public' });
  await share('password', { policy: 'password', passwordHash: 'x' });
  await share('never', { policy: 'closed' });
  await share('paused', { enabled: false });
  await share('soon', { opensAt: later });
  await share('over', { closesAt: past });
  await share('off', {}, off);
  await share('away', {}, away);
  // An account that will be deleted in seven days works until then.
  await t.db.updateTable('userAccount').set({ deletionAt: later }).where('id', '=', gate.userId).execute();

  const nothing = { since: null, offline_reason: null, opens_at: null, closes_at: null, hours: null };
  expect(await listed(member)).toMatchObject([
    { ...nothing, domain: 'away.localhost', state: 'never_connected' },
    { ...nothing, domain: 'off.localhost', state: 'disabled' },
    { ...nothing, domain: 'over.localhost', state: 'closed', closes_at: past.toISOString() },
    { ...nothing, domain: 'soon.localhost', state: 'not_open_yet', opens_at: later.toISOString() },
    { ...nothing, domain: 'paused.localhost', state: 'mapping_disabled' },
    { ...nothing, domain: 'never.localhost', state: 'closed' },
    { domain: 'password.localhost', state: 'online' },
    { domain: 'public.localhost', state: 'online' },
  ]);
});

test('mappings of kinds that members cannot open are not listed', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, 'zhao', email));
  await add(gate, 'zhao@example.com');
  const values = { kind: 'https' as const, prefix: null, customDomain: 'nas.example.com' };

  await t.db.updateTable('mapping').set(values).execute();
  expect(await listed(member)).toMatchObject([{ domain: 'nas.example.com', url: 'http://nas.example.com:8080' }]);
  await t.db.updateTable('mapping').set({ tlsPassthrough: true }).execute();

  expect(await listed(member)).toEqual([]);
});

test('the list has the 200 newest memberships', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, 'zhao', email));
  const { deviceId, serverId } = gate;
  const page = {
    deviceId,
    serverId,
    kind: 'http',
    targetHost: '192.168.1.10',
    targetPort: 80,
    policy: 'owner',
  } as const;
  const pages = Array.from({ length: 201 }, (_, n) => ({ ...page, prefix: `page-${n + 1}` }));
  const made = await t.db.insertInto('mapping').values(pages).returning('id').execute();
  const memberships = made.map(({ id }) => ({ mappingId: id, contact: 'zhao@example.com' }));
  await t.db.insertInto('mappingMember').values(memberships).execute();

  const domains = (await listed(member)).map(({ domain }) => domain);

  expect([domains.length, domains[0], domains.at(-1)]).toEqual([200, 'page-201.localhost', 'page-2.localhost']);
});

test('a member pins an address for nobody else, and only what is shared with that member', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const zhao = await gate.app.browserOf(await insertPerson(t, 'zhao', { ...phone, ...email }));
  const wang = await gate.app.browserOf(await insertPerson(t, 'wang', { email: 'wang@example.com' }));
  const other = await gate.app.browserOf(await insertPerson(t, 'sun'));
  // The first one is listed. The second one is the same account by its other contact.
  await add(gate, '13800138000');
  await add(gate, 'zhao@example.com');
  await add(gate, 'wang@example.com');
  const [{ id } = { id: 0 }] = await listed(zhao);
  const pinned = async () => (await Promise.all([zhao, wang].map(listed))).map(([first]) => first?.pinned);

  expect(await zhao.call('PATCH', `${path}${id}/`, { pinned: true })).toMatchObject({ status: 200 });
  expect(await pinned()).toEqual([true, false]);
  for (const browser of [wang, other, gate.owner]) {
    expect(await browser.call('PATCH', `${path}${id}/`, { pinned: false })).toMatchObject(notFound);
  }
  expect(await zhao.call('PATCH', `${path}${id}/`, { owner: 'zhao' })).toMatchObject({ status: 422 });
  expect(await pinned()).toEqual([true, false]);
  expect(await zhao.call('PATCH', `${path}${id}/`, { pinned: false })).toMatchObject({ status: 200 });
  expect(await pinned()).toEqual([false, false]);
});

test('a user who is a member twice sees one address, and leaves it with one call', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const userId = await insertPerson(t, 'zhao', { ...phone, ...email });
  const member = await gate.app.browserOf(userId);
  const friend = await gate.app.browserOf(await insertPerson(t, 'wang', { email: 'wang@example.com' }));
  const byMail = await add(gate, 'zhao@example.com');
  await gate.redeem(ticketOf(await check(member)));
  await t.db.updateTable('userAccount').set({ email: '' }).where('id', '=', userId).execute();
  const byPhone = await add(gate, '13800138000');
  await gate.redeem(ticketOf(await check(member)));
  await t.db.updateTable('userAccount').set(email).where('id', '=', userId).execute();
  await add(gate, 'wang@example.com');
  await gate.redeem(ticketOf(await check(friend)));
  const waiting = ticketOf(await check(member));
  const other = await insertMapping(t.db, { ...gate, prefix: 'photos' });
  await add(gate, 'zhao@example.com', other);
  const [photos, nas, ...more] = await listed(member);
  expect([photos?.domain, nas?.id, more]).toEqual(['photos.localhost', byMail, []]);

  expect(await member.call('DELETE', `${path}${byPhone}/`)).toMatchObject({ status: 200, body: { ok: true } });

  expect(await listed(member)).toEqual([photos]);
  expect(await check(member)).toMatchObject({ allowed: false, reason: 'not_allowed' });
  await expect(gate.redeem(waiting)).rejects.toThrow(expect.objectContaining({ code: 'gate.ticket-invalid' }));
  expect(await gate.records()).toMatchObject([
    { who: 'wang@example.com', revoked_at: null },
    { who: '+8613800138000', revoked_at: expect.any(String) },
    { who: 'zhao@example.com', revoked_at: expect.any(String) },
  ]);
  expect(await listed(friend)).toHaveLength(1);
  const { body } = await gate.owner.call('GET', `/api/user/records/${gate.mappingId}/members/`);
  expect(body).toMatchObject([{ contact: 'wang@example.com' }]);
  for (const id of [byMail, byPhone]) expect(await member.call('DELETE', `${path}${id}/`)).toMatchObject(notFound);
});

test('concurrent calls to leave, while the owner removes a member, end each membership once', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const member = await gate.app.browserOf(await insertPerson(t, 'zhao', { ...phone, ...email }));
  const ids = [await add(gate, 'zhao@example.com'), await add(gate, '13800138000')];
  await gate.redeem(ticketOf(await check(member)));

  const leaving = [...ids, ...ids].map((id) => member.call('DELETE', `${path}${id}/`));
  const removing = gate.owner.call('DELETE', `/api/user/members/${ids[0]}/`);
  const statuses = (await Promise.all(leaving)).map(({ status }) => status);

  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 404, 404]);
  expect([200, 404]).toContain((await removing).status);
  expect(await t.db.selectFrom('mappingMember').select('id').execute()).toEqual([]);
  expect(await gate.records()).toMatchObject([{ revoked_at: expect.any(String) }]);
});

test('open pages of member and owner are notified of a changed membership', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const userId = await insertPerson(t, 'zhao', email);
  const member = await gate.app.browserOf(userId);
  const notices: unknown[] = [];
  await t.listen(
    'live',
    (text) => notices.push(JSON.parse(text)),
    () => undefined,
  );
  const notice = { userId, topic: 'shared_with_me' };
  const count = (): number => notices.filter((one) => JSON.stringify(one) === JSON.stringify(notice)).length;

  const id = await add(gate, 'zhao@example.com');
  await expect.poll(count).toBe(1);
  await gate.owner.call('DELETE', `/api/user/members/${id}/`);
  await expect.poll(count).toBe(2);
  await add(gate, 'nobody@example.com');
  const again = await add(gate, 'zhao@example.com');
  await expect.poll(count).toBe(3);
  notices.length = 0;
  await member.call('DELETE', `${path}${again}/`);
  await expect.poll(() => notices).toContainEqual(notice);
  for (const topic of ['devices', 'verifications']) expect(notices).toContainEqual({ userId: gate.userId, topic });
});

test('an API token with devices:read reads memberships, and no token can leave them', async () => {
  await using t = await openTestDb();
  await using gate = await openGateApp(t);
  const userId = await insertPerson(t, 'zhao', email);
  const id = await add(gate, 'zhao@example.com');
  const refused = { status: 403, body: { code: 'session.scope' } };
  const reader = await openProgram({ db: t.db, app: gate.app }, userId, ['devices:read']);
  const others = apiScopes.filter((scope) => scope !== 'devices:read');
  const writer = await openProgram({ db: t.db, app: gate.app }, userId, others);

  expect(await listed(reader)).toMatchObject([{ id }]);
  expect(await writer.call('GET', path)).toMatchObject(refused);
  for (const program of [reader, writer]) expect(await program.call('DELETE', `${path}${id}/`)).toMatchObject(refused);
  expect(await listed(reader)).toMatchObject([{ id }]);
});
