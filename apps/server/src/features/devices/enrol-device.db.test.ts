import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { insertServer, insertUser } from '../../testing/device-fixtures.ts';
import { enrolDevice, type Enrolment, type TokenClaim } from './enrol-device.ts';

/** Two users whose tokens are their names, and a one-time token of the first user. */
async function insertTokenOwners(db: Db) {
  const serverId = await insertServer(db);
  const owners = new Map([
    ['li', await insertUser(db, 'li')],
    ['zhao', await insertUser(db, 'zhao')],
  ]);
  const claimOf = (name: string) => ({ userId: owners.get(name) ?? 0 });
  const claimToken = async (tx: Db, token: string): Promise<TokenClaim | undefined> => {
    if (token !== 'once') return owners.has(token) ? claimOf(token) : undefined;
    const { length } = await tx.deleteFrom('announcement').where('title', '=', 'once').returning('id').execute();
    return length > 0 ? claimOf('li') : undefined;
  };
  const enrol = async (changes: Partial<Enrolment> = {}) =>
    await enrolDevice({ db, claimToken }, { token: 'li', publicKey: newKey(), name: 'NAS', serverId, ...changes });
  return { owners, enrol };
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

async function listDevices(db: Db) {
  return await db.selectFrom('device').orderBy('id').select(['id', 'userId', 'uid', 'name', 'publicKey']).execute();
}

test('a key pair becomes a device of the token owner', async () => {
  await using t = await openTestDb();
  const { owners, enrol } = await insertTokenOwners(t.db);
  const publicKey = newKey();

  const { deviceId } = await enrol({ publicKey });

  expect(await listDevices(t.db)).toEqual([
    {
      id: deviceId,
      userId: owners.get('li'),
      uid: expect.stringMatching(/^[0-9a-f]{12}$/),
      name: 'NAS',
      publicKey: Buffer.from(publicKey, 'base64url'),
    },
  ]);
});

test('a token of a disabled account adds no device', async () => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);
  await t.db.updateTable('userAccount').set({ disabledAt: new Date() }).where('username', '=', 'li').execute();

  await expect(enrol()).rejects.toMatchObject({ code: 'enrolment.token-invalid' });
  expect(await listDevices(t.db)).toEqual([]);
});

test('an account that is just being disabled gets no device', async () => {
  await using t = await openTestDb();
  const { owners, enrol } = await insertTokenOwners(t.db);
  let enrolled: Promise<unknown> | undefined;

  await t.db.transaction().execute(async (tx) => {
    await lockUserForUpdate(tx, owners.get('li') ?? 0);
    enrolled = enrol();
    enrolled.catch(() => undefined); // looked at below
    await expect.poll(async () => await countWaiting(t)).toBe(1);
    await tx.updateTable('userAccount').set({ disabledAt: new Date() }).where('username', '=', 'li').execute();
  });

  await expect(enrolled).rejects.toMatchObject({ code: 'enrolment.token-invalid' });
  expect(await listDevices(t.db)).toEqual([]);
});

test.each([
  ['\u202Egnp.exe\u200B', 'gnp.exe'],
  ['my\r\nnas', 'my nas'],
  ['\u200B\u2066 \u3164', '我的设备'],
  [`${'名'.repeat(38)}👩\u200D💻`, `${'名'.repeat(38)}👩`],
])('a device is named after the visible characters of the host name %j', async (name, kept) => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);

  await enrol({ name });

  expect((await listDevices(t.db)).map((device) => device.name)).toEqual([kept]);
});

test('the same key of the same owner is the same device, also in 10 concurrent enrolments', async () => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);
  const publicKey = newKey();

  const results = await Promise.all(Array.from({ length: 10 }, () => enrol({ publicKey })));

  expect(new Set(results.map(({ deviceId }) => deviceId)).size).toBe(1);
  expect(await listDevices(t.db)).toHaveLength(1);
});

test("another owner's key is refused and stays with its device", async () => {
  await using t = await openTestDb();
  const { owners, enrol } = await insertTokenOwners(t.db);
  const publicKey = newKey();
  await enrol({ publicKey });

  const stolen = enrol({ publicKey, token: 'zhao' });

  await expect(stolen).rejects.toMatchObject({ code: 'enrolment.key-in-use' });
  expect((await listDevices(t.db)).map((device) => device.userId)).toEqual([owners.get('li')]);
});

test('an unknown token enrols nothing', async () => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);

  await expect(enrol({ token: 'guess' })).rejects.toMatchObject({ code: 'enrolment.token-invalid' });
  expect(await listDevices(t.db)).toEqual([]);
});

test('a one-time token is used only by a successful enrolment', async () => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);
  const foreignKey = newKey();
  await enrol({ publicKey: foreignKey, token: 'zhao' });
  await t.db.insertInto('announcement').values({ title: 'once', detail: '' }).execute();

  await expect(enrol({ token: 'once', publicKey: foreignKey })).rejects.toMatchObject({ code: 'enrolment.key-in-use' });
  await enrol({ token: 'once' });
  await expect(enrol({ token: 'once' })).rejects.toMatchObject({ code: 'enrolment.token-invalid' });
});

test.each(['', 'short', `${newKey()}AA`, newKey().slice(1), `${newKey().slice(0, 42)}*`, 'é'.repeat(43)])(
  'the key %j is not one',
  async (publicKey) => {
    await using t = await openTestDb();
    const { enrol } = await insertTokenOwners(t.db);

    await expect(enrol({ publicKey })).rejects.toMatchObject({ code: 'request.invalid' });
  },
);

test('names are trimmed, shortened, cleaned and numbered', async () => {
  await using t = await openTestDb();
  const { enrol } = await insertTokenOwners(t.db);

  for (const name of ['NAS', 'NAS', '  NAS ', '', '\u0000\n', '𠮷'.repeat(50), '𠮷'.repeat(50), 'a\u0000b']) {
    await enrol({ name });
  }

  const names = (await listDevices(t.db)).map((device) => device.name);
  expect(names).toEqual([
    'NAS',
    'NAS 2',
    'NAS 3',
    '我的设备',
    '我的设备 2',
    '𠮷'.repeat(40),
    `${'𠮷'.repeat(36)} 2`,
    'a b',
  ]);
});
