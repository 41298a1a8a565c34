import type { CloudApp, CloudAppMember } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertMapping, insertDevice, insertUser } from '../../testing/device-fixtures.ts';
import { unsealSecrets } from './app-secrets.ts';
import { appSealingKey, appsPath, bodyOf, offersPath, openCloudApps } from './testing/open-cloud-apps.ts';

const offerNotFound = { status: 404, body: { code: 'cloud-app.offer-not-found' } };

test('an app gets the usual port of its kind, and its owner sees it', async () => {
  await using home = await openCloudApps();

  const app = await home.create({ host: ' Router.LAN ', options: { username: 'root' } });

  expect(app).toMatchObject({
    ...{ router: home.deviceId, kind: 'ssh', name: '路由器', host: 'router.lan', port: 22 },
    options: {
      username: 'root',
      domain: '',
      path: '',
      encoding: 'utf-8',
      name_encoding: 'auto',
      tls: false,
      mac: '',
      old_algorithms: false,
    },
    ...{ has_password: false, has_private_key: false, has_passphrase: false, host_key: null },
    ...{ needs_second_factor: false, enabled: true, is_own: true, owner: 'li', router_name: 'NAS' },
    ...{ router_online: false, member_count: 0 },
  });
  expect(bodyOf(await home.owner.call('GET', `${appsPath}?format=json`))).toEqual([app]);
  expect(bodyOf(await home.friend.call('GET', appsPath))).toEqual([]);
});

test('no mapping has the id of an app', async () => {
  await using home = await openCloudApps();
  const ids = [await insertMapping(home.db, { ...home, prefix: 'a' }), (await home.create()).id];
  ids.push(await insertMapping(home.db, { ...home, prefix: 'b' }), (await home.create()).id);

  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(4);
});

test.each([
  ['8.8.8.8', 'mapping.target-not-private'],
  ['example.com', 'mapping.target-not-private'],
  ['169.254.169.254', 'mapping.target-credentials'],
  ['fe80::1', 'mapping.target-credentials'],
  ['192.168.1.1:22', 'request.invalid'],
  ['http://nas', 'request.invalid'],
  ['li@nas', 'request.invalid'],
  ['a b', 'request.invalid'],
  ['', 'request.invalid'],
])('the host %j is refused at its field, when an app is created and when it is changed', async (host, code) => {
  await using home = await openCloudApps();
  const { id } = await home.create();

  const replies = [
    await home.owner.call('POST', appsPath, { router: home.deviceId, kind: 'ssh', name: 'x', host }),
    await home.owner.call('PATCH', `${appsPath}${id}/`, { host }),
  ];

  for (const { body } of replies) expect(body).toMatchObject({ code, errors: { host: [expect.any(String)] } });
});

test.each([
  ['fd00::5', 'fd00::5'],
  ['[FD00::5]', 'fd00::5'],
  ['127.0.0.1', '127.0.0.1'],
  ['nas.local.', 'nas.local'],
])('the host %j of the device’s own network is accepted as %j', async (host, stored) => {
  await using home = await openCloudApps();
  expect(await home.create({ host })).toMatchObject({ host: stored });
});

test.each([
  ['ssh', { options: { domain: 'HOME' } }, ['options.domain']],
  [
    'ssh',
    { options: { path: '/x', name_encoding: 'gbk', tls: true } },
    ['options.path', 'options.name_encoding', 'options.tls'],
  ],
  ['sftp', { options: { encoding: 'gbk' } }, ['options.encoding']],
  ['telnet', { secrets: { password: 'x' } }, ['secrets.password']],
  ['telnet', { options: { username: 'root' } }, ['options.username']],
  ['vnc', { secrets: { private_key: 'x', passphrase: 'y' } }, ['secrets.private_key', 'secrets.passphrase']],
  ['smb', { options: { tls: true } }, ['options.tls']],
])('an app of the kind %s cannot have %j', async (kind, input, fields) => {
  await using home = await openCloudApps();
  const app = await home.create({ kind });
  const create = { router: home.deviceId, kind, name: 'x', host: 'nas', ...input };

  const replies = [
    await home.owner.call('POST', appsPath, create),
    await home.owner.call('PATCH', `${appsPath}${app.id}/`, input),
  ];

  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 422, body: { code: 'cloud-app.option-not-possible' } });
    expect(Object.keys((reply.body as { errors: object }).errors)).toEqual(fields);
  }
});

test('the initial value of an option that the kind does not have is accepted, because forms send all', async () => {
  await using home = await openCloudApps();
  const options = {
    username: '',
    domain: '',
    path: '',
    encoding: 'utf-8',
    name_encoding: 'auto',
    tls: false,
    mac: '',
    old_algorithms: false,
  };
  expect(await home.create({ kind: 'telnet', options, secrets: { password: null } })).toMatchObject({ options });
});

test('secrets are sealed for their app, never returned, and change one by one', async () => {
  await using home = await openCloudApps();
  const secrets = { password: 'pass-secret', private_key: 'key-secret', passphrase: 'phrase-secret' };
  const { id } = await home.create({ secrets });
  const path = `${appsPath}${id}/`;
  const stored = async () => {
    const row = await home.db.selectFrom('cloudApp').select('secretsSealed').executeTakeFirstOrThrow();
    return unsealSecrets(appSealingKey, id, row.secretsSealed);
  };
  expect(await stored()).toEqual(secrets);
  const { rows } = await sql<{ row: string }>`select cloud_app::text as row from cloud_app`.execute(home.db);
  expect(rows[0]?.row).not.toContain('secret');

  const kept = await home.owner.call('PATCH', path, { secrets: { password: 'other-secret' } });
  expect(kept.body).toMatchObject({ has_password: true, has_private_key: true, has_passphrase: true });
  expect(kept.text).not.toContain('secret"');
  expect(await stored()).toEqual({ ...secrets, password: 'other-secret' });

  // The passphrase belonged to the former key.
  await home.owner.call('PATCH', path, { secrets: { private_key: 'second-key' } });
  expect(await stored()).toEqual({ password: 'other-secret', private_key: 'second-key' });

  const cleared = await home.owner.call('PATCH', path, { secrets: { password: null, private_key: null } });
  expect(cleared.body).toMatchObject({ has_password: false, has_private_key: false });
  const row = await home.db.selectFrom('cloudApp').select('secretsSealed').executeTakeFirstOrThrow();
  expect(row.secretsSealed).toBeNull();
});

test.each([
  [{ host: '192.168.1.66' }, 'ssh'],
  [{ port: 2222 }, 'ssh'],
  [{ options: { tls: false } }, 'webdav'],
])('stored secrets go when the app gets another target: %j', async (target, kind) => {
  await using home = await openCloudApps();
  const options = kind === 'webdav' ? { tls: true } : {};
  const { id } = await home.create({ kind, options, secrets: { password: 'old' } });
  const patch = async (body: object) => bodyOf<CloudApp>(await home.owner.call('PATCH', `${appsPath}${id}/`, body));

  expect(await patch({ name: 'x', host: '192.168.1.1', options })).toMatchObject({ has_password: true });
  expect(await patch(target)).toMatchObject({ has_password: false });
  const back = await patch({ host: '192.168.1.5', secrets: { password: 'new' } });
  expect(back).toMatchObject({ has_password: true });
  const { secretsSealed } = await home.db.selectFrom('cloudApp').select('secretsSealed').executeTakeFirstOrThrow();
  expect(unsealSecrets(appSealingKey, id, secretsSealed)).toEqual({ password: 'new' });
});

test('sealed secrets cannot be opened as those of another app', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create({ secrets: { password: 'x' } });
  const { secretsSealed } = await home.db.selectFrom('cloudApp').select('secretsSealed').executeTakeFirstOrThrow();

  expect(unsealSecrets(appSealingKey, id, secretsSealed)).toEqual({ password: 'x' });
  expect(() => unsealSecrets(appSealingKey, id + 1, secretsSealed)).toThrow();
});

test('a change keeps what it does not name', async () => {
  await using home = await openCloudApps();
  const before = await home.create({ kind: 'smb', options: { username: 'li', domain: 'HOME', path: '/media' } });

  const after = await home.owner.call('PATCH', `${appsPath}${before.id}/`, { name: '影音', options: { path: '/tv' } });

  expect(after.body).toEqual({ ...before, name: '影音', options: { ...before.options, path: '/tv' } });
});

test('another target forgets the host key; so does the owner’s wish', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const setKey = async () => await home.db.updateTable('cloudApp').set({ hostKey: 'SHA256:abc' }).execute();
  const patch = async (body: object) => bodyOf<CloudApp>(await home.owner.call('PATCH', `${appsPath}${id}/`, body));
  await setKey();
  expect(await patch({ name: 'x', host: '192.168.1.1', port: 22 })).toMatchObject({ host_key: 'SHA256:abc' });
  expect(await patch({ port: 2222 })).toMatchObject({ host_key: null });
  await setKey();
  expect(await patch({ host_key: null })).toMatchObject({ host_key: null });
});

test('the change of an app reaches relays before the answer, in its own transaction, and the consoles of its members', async () => {
  await using home = await openCloudApps();
  const changes: unknown[] = [];
  const topics: unknown[] = [];
  const ignore = () => undefined;
  await home.t.listen('device_changed', (text) => changes.push(JSON.parse(text)), ignore);
  await home.t.listen('live', (text) => topics.push(JSON.parse(text)), ignore);

  const { id } = await home.create();
  await home.addMember(id);
  await home.owner.call('PATCH', `${appsPath}${id}/`, { enabled: false });
  await home.owner.call('PATCH', `${appsPath}${id}/`, {});
  await home.owner.call('DELETE', `${appsPath}${id}/`);

  await expect.poll(() => changes.length).toBe(3);
  const { deviceId } = home;
  expect(home.sent).toEqual([
    { deviceId, version: expect.any(String) },
    { deviceId, version: expect.any(String) },
  ]);
  expect(changes.slice(0, 2)).toEqual(home.sent);
  expect(topics.filter((topic) => JSON.stringify(topic).includes(`${home.friendId}`))).toEqual(
    expect.arrayContaining([{ userId: home.friendId, topic: 'cloud_apps' }]),
  );
});

test('a member sees the app, but neither its members nor a way to change it', async () => {
  await using home = await openCloudApps();
  const app = await home.create();
  const memberId = await home.addMember(app.id);

  expect(bodyOf(await home.friend.call('GET', appsPath))).toEqual([{ ...app, is_own: false }]);
  expect(bodyOf<CloudApp[]>(await home.owner.call('GET', appsPath))).toMatchObject([{ member_count: 1 }]);
  const path = `${appsPath}${app.id}/`;
  const refused = [
    await home.friend.call('PATCH', path, { name: 'x' }),
    await home.friend.call('DELETE', path),
    await home.friend.call('GET', `${path}members/`),
    await home.friend.call('POST', `${path}members/`, { account: 'wang' }),
    await home.friend.call('DELETE', `${path}members/${memberId}/`),
  ];
  for (const reply of refused) expect(reply).toMatchObject({ status: 404, body: { code: 'cloud-app.not-found' } });
});

test('somebody else finds no app by its id', async () => {
  await using home = await openCloudApps();
  const path = `${appsPath}${(await home.create()).id}/`;
  const calls = [
    ['PATCH', path],
    ['DELETE', path],
    ['GET', `${path}members/`],
    ['POST', `${path}members/`],
    ['DELETE', `${path}members/1/`],
    ['POST', `${path}sessions/`],
  ] as const;
  for (const [method, url] of calls) {
    const body = url.endsWith('members/') && method === 'POST' ? { account: 'wang' } : {};
    const reply = await home.friend.call(method, url, method === 'GET' ? undefined : body);
    expect({ url, ...reply }).toMatchObject({ url, status: 404, body: { code: 'cloud-app.not-found' } });
  }
  expect(bodyOf<CloudApp[]>(await home.owner.call('GET', appsPath))).toHaveLength(1);
});

test('an app cannot be created on somebody else’s device', async () => {
  await using home = await openCloudApps();
  const body = { router: home.deviceId, kind: 'ssh', name: 'x', host: 'nas' };
  expect(await home.friend.call('POST', appsPath, body)).toMatchObject({
    status: 404,
    body: { code: 'device.not-found' },
  });
});

test('a device whose frpc.toml names what it serves has no apps', async () => {
  await using home = await openCloudApps();
  await home.db
    .updateTable('device')
    .set({ publicKey: null, frpcTokenSealed: Buffer.alloc(1), frpcLogin: 'tt-0123456789' })
    .where('id', '=', home.deviceId)
    .execute();
  const body = { router: home.deviceId, kind: 'ssh', name: 'x', host: 'nas' };
  expect(await home.owner.call('POST', appsPath, body)).toMatchObject({
    status: 409,
    body: { code: 'cloud-app.managed-by-frpc' },
  });
});

test('an app is offered first: it can be seen and opened once the account has accepted, and is listed once', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create({ name: '路由器' });
  const path = `${appsPath}${id}/`;
  const { id: offerId } = await home.offer(id, 'WANG');

  expect(bodyOf(await home.friend.call('GET', offersPath))).toEqual([
    { id: offerId, name: '路由器', kind: 'ssh', owner: 'li', created_at: expect.any(String) },
  ]);
  expect(bodyOf(await home.friend.call('GET', appsPath))).toEqual([]);
  expect(await home.friend.call('POST', `${path}sessions/`)).toMatchObject({ status: 404 });
  expect(await home.friend.call('DELETE', `${path}membership/`)).toMatchObject({ status: 404 });
  expect(bodyOf<CloudApp[]>(await home.owner.call('GET', appsPath))).toMatchObject([{ member_count: 0 }]);
  expect(await home.owner.call('POST', `${offersPath}${offerId}/accept/`)).toMatchObject(offerNotFound);

  bodyOf(await home.friend.call('POST', `${offersPath}${offerId}/accept/`));
  expect(bodyOf(await home.friend.call('GET', offersPath))).toEqual([]);
  expect(bodyOf<CloudApp[]>(await home.friend.call('GET', appsPath))).toMatchObject([{ id, is_own: false }]);
  bodyOf(await home.friend.call('POST', `${path}sessions/`), 201);
  expect(await home.friend.call('POST', `${offersPath}${offerId}/accept/`)).toMatchObject(offerNotFound);
  expect(await home.friend.call('DELETE', `${offersPath}${offerId}/`)).toMatchObject(offerNotFound);
  // The name as the account has it, and no second offer.
  const member = { id: offerId, account: 'wang', created_at: expect.any(String), accepted_at: expect.any(String) };
  expect(await home.offer(id)).toEqual(member);
  expect(bodyOf<CloudAppMember[]>(await home.owner.call('GET', `${path}members/`))).toEqual([member]);
});

test('neither the answer nor the list of an owner shows whether an account exists, or that it declined', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const path = `${appsPath}${id}/members/`;
  const offered = (account: string) => ({
    ...{ id: expect.any(Number), account, created_at: expect.any(String), accepted_at: null },
  });

  const known = await home.offer(id, 'WANG');
  expect([known, await home.offer(id, 'nobody')]).toEqual([offered('WANG'), offered('nobody')]);
  bodyOf(await home.friend.call('DELETE', `${offersPath}${known.id}/`));

  expect(bodyOf(await home.friend.call('GET', offersPath))).toEqual([]);
  expect(await home.friend.call('POST', `${offersPath}${known.id}/accept/`)).toMatchObject(offerNotFound);
  expect(bodyOf(await home.owner.call('GET', path))).toEqual([offered('WANG'), offered('nobody')]);
  // Offered again, it stays declined; taken back and offered anew, it can be accepted.
  expect(await home.offer(id, 'wang')).toEqual(known);
  expect(bodyOf(await home.friend.call('GET', offersPath))).toEqual([]);
  bodyOf(await home.owner.call('DELETE', `${path}${known.id}/`));
  await home.addMember(id);
});

test('a name that somebody takes later gets the offer when it is made again', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const early = await home.offer(id, 'zhao');
  const zhao = await home.app.browserOf(await insertUser(home.db, 'zhao'));
  expect(bodyOf(await zhao.call('GET', offersPath))).toEqual([]);

  expect(await home.offer(id, 'zhao')).toEqual(early);

  bodyOf(await zhao.call('POST', `${offersPath}${early.id}/accept/`));
  expect(bodyOf<CloudApp[]>(await zhao.call('GET', appsPath))).toHaveLength(1);
});

test('an account to which an app is offered under two names accepts it once, also at the same time', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const first = await home.offer(id, 'wang');
  await home.db.updateTable('userAccount').set({ username: 'wang2' }).where('id', '=', home.friendId).execute();
  const second = await home.offer(id, 'wang2');

  const accept = async (offer: CloudAppMember) => await home.friend.call('POST', `${offersPath}${offer.id}/accept/`);
  const replies = await Promise.all([accept(first), accept(second)]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const members = bodyOf<CloudAppMember[]>(await home.owner.call('GET', `${appsPath}${id}/members/`));
  expect(members).toMatchObject([{ account: 'wang2', accepted_at: expect.any(String) }]);
});

test('members and offers are removed, each of its own app', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const other = await home.create({ name: 'other' });
  const path = `${appsPath}${id}/members/`;
  const unknown = { status: 404, body: { code: 'cloud-app.member-unknown' } };

  const memberId = await home.addMember(id);
  expect(await home.owner.call('DELETE', `${appsPath}${other.id}/members/${memberId}/`)).toMatchObject(unknown);
  expect(await home.owner.call('POST', path, { account: 'li' })).toMatchObject({
    body: { code: 'request.invalid', errors: { account: [expect.stringContaining('所有者')] } },
  });
  bodyOf(await home.owner.call('DELETE', `${path}${memberId}/`));
  expect(bodyOf(await home.friend.call('GET', appsPath))).toEqual([]);
  expect(await home.owner.call('DELETE', `${path}${memberId}/`)).toMatchObject(unknown);

  const { id: offerId } = await home.offer(id);
  bodyOf(await home.owner.call('DELETE', `${path}${offerId}/`));
  expect(bodyOf(await home.friend.call('GET', offersPath))).toEqual([]);
  expect(await home.friend.call('POST', `${offersPath}${offerId}/accept/`)).toMatchObject(offerNotFound);
});

test('a member leaves an app, once, and can be added again; its owner cannot leave it', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  const other = await home.create({ name: 'other' });
  const path = `${appsPath}${id}/membership/`;
  const notFound = { status: 404, body: { code: 'cloud-app.not-found' } };
  expect(await home.friend.call('DELETE', path)).toMatchObject(notFound);
  await home.addMember(id);
  await home.addMember(other.id);
  expect(await home.owner.call('DELETE', path)).toMatchObject(notFound);

  bodyOf(await home.friend.call('DELETE', path));
  expect(bodyOf<CloudApp[]>(await home.friend.call('GET', appsPath)).map((app) => app.id)).toEqual([other.id]);
  expect(bodyOf(await home.owner.call('GET', `${appsPath}${id}/members/`))).toEqual([]);
  expect(await home.friend.call('DELETE', path)).toMatchObject(notFound);
  await home.addMember(id);
  expect(bodyOf<CloudApp[]>(await home.friend.call('GET', appsPath))).toHaveLength(2);
});

test('a device has a hundred apps, also when two are requested at once', async () => {
  await using home = await openCloudApps();
  await sql`
    insert into cloud_app (device_id, kind, name, target_host, target_port, options)
    select ${home.deviceId}, 'ssh', 'x', 'nas', 22, '{}' from generate_series(1, 99)`.execute(home.db);
  const body = { router: home.deviceId, kind: 'ssh', name: 'x', host: 'nas' };

  const replies = await Promise.all([1, 2].map(() => home.owner.call('POST', appsPath, body)));

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'cloud-app.limit-reached' });
  const second = await insertDevice(home.db, { userId: home.userId, serverId: home.serverId });
  await home.create({ router: second });
});

test('an app has fifty members, also when two are added at once', async () => {
  await using home = await openCloudApps();
  const { id } = await home.create();
  await sql`
    insert into cloud_app_member (app_id, account) select ${id}, 'user' || i from generate_series(1, 49) as i`.execute(
    home.db,
  );
  await insertUser(home.db, 'last');

  const add = async (account: string) => await home.owner.call('POST', `${appsPath}${id}/members/`, { account });
  const replies = await Promise.all([add('wang'), add('last')]);

  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(await add('user1')).toMatchObject({ status: 201 }); // already a member
});

test('calls without a login, and with an API token, are refused', async () => {
  await using home = await openCloudApps();
  const anonymous = home.app.browser();
  expect(await anonymous.call('GET', appsPath)).toMatchObject({ status: 401, body: { code: 'session.required' } });
  const token = { authorization: 'Bearer tt_api_x' };
  expect(await home.owner.call('GET', appsPath, undefined, token)).toMatchObject({ status: 401 });
});
