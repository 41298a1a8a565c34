import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../testing/device-fixtures.ts';
import { assertRoomForProof } from './assert-room-for-proof.ts';
import type { RequestedProof } from './proof-count-store.ts';

const limits = { ofLogin: 2, ofVisitor: 2, ofMapping: 3, ofDevice: 4, ofDeviceWithDeleted: 6, ofOwner: 5 };
const full = expect.objectContaining({ code: 'gate.too-many-proofs' });
const soon = new Date(Date.now() + 3_600_000);

async function openHome({ db }: TestDb) {
  const home = await insertHome(db);
  const [nas, cam] = [
    await insertMapping(db, { ...home, prefix: 'nas' }),
    await insertMapping(db, { ...home, prefix: 'cam' }),
  ];
  const [wang, chen] = [await insertUser(db, 'wang'), await insertUser(db, 'chen')];
  const { deviceId } = home;
  const at = (mappingId: number) => ({ mappingId, deviceId, host: `${mappingId}.localhost` });
  const owner = (sessionId: number): RequestedProof => ({
    ...{ ...at(nas), grantedBy: 'owner', sessionId, userId: home.userId, network: '203.0.113.1' },
  });
  const member = (userId: number, sessionId: number): RequestedProof => ({
    ...{ ...at(nas), grantedBy: 'member', sessionId, userId, network: '203.0.113.1' },
  });
  const byPassword = (network: string, mappingId = nas): RequestedProof => ({
    ...{ ...at(mappingId), grantedBy: 'password', sessionId: null, userId: null, network },
  });
  return {
    ...{ ...home, nas, cam, wang, chen, at, owner, member, byPassword },
    /** Inserts `count` existing proofs. */
    insert: async (count: number, proof: RequestedProof, times: { cookieExpiresAt?: Date; revokedAt?: Date } = {}) => {
      const { network: visitorNetwork, ...rest } = proof;
      const row = { ...rest, ownerId: home.userId, visitorNetwork, visitorIp: '203.0.113.1', userAgent: '' };
      const values = { ...row, expiresAt: soon, cookieExpiresAt: soon, ...times };
      await db
        .insertInto('verification')
        .values(Array.from({ length: count }, () => values))
        .execute();
    },
    check: async (proof: RequestedProof) =>
      await assertRoomForProof(db, proof, limits).catch((error: unknown) => error),
  };
}

test('a login makes proofs up to its limit, apart from other logins of the account', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.insert(1, home.owner(1));
  expect(await home.check(home.owner(1))).toBeUndefined();
  await home.insert(1, { ...home.owner(1), ...home.at(home.cam) });

  expect(await home.check(home.owner(1))).toEqual(full);
  expect(await home.check(home.owner(2))).toBeUndefined();
});

test('an owner has a limit of their own, which nobody else uses up', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  for (const n of [1, 2, 3, 4]) await home.insert(1, home.byPassword(`203.0.113.${n}`));
  for (const n of [1, 2, 3, 4]) await home.insert(1, home.owner(n));
  expect(await home.check(home.owner(5))).toBeUndefined();
  await home.insert(1, home.owner(5));

  expect(await home.check(home.owner(6))).toEqual(full);
});

test('a member has a limit of their own', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.insert(2, home.member(home.wang, 1));

  expect(await home.check(home.member(home.wang, 2))).toEqual(full);
  expect(await home.check(home.member(home.chen, 3))).toBeUndefined();
  expect(await home.check(home.byPassword('203.0.113.1'))).toBeUndefined();
});

test('the browsers of a network have a limit of their own at each mapping', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.insert(2, home.byPassword('2001:db8::'));

  expect(await home.check(home.byPassword('2001:db8::'))).toEqual(full);
  expect(await home.check({ ...home.byPassword('2001:db8::'), grantedBy: 'share' })).toEqual(full);
  expect(await home.check(home.byPassword('2001:db8:0:1::'))).toBeUndefined();
  expect(await home.check(home.byPassword('2001:db8::', home.cam))).toBeUndefined();
});

test('a mapping that is deleted and created again under the same name counts its old proofs', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.insert(2, home.member(home.wang, 1));
  await home.insert(1, home.byPassword('203.0.113.1'));
  await t.db.deleteFrom('mapping').where('id', '=', home.nas).execute();
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const atNewMapping = (proof: RequestedProof): RequestedProof => ({ ...proof, mappingId });

  expect(await home.check(atNewMapping(home.byPassword('203.0.113.9')))).toEqual(full);
  expect(
    await home.check({ ...atNewMapping(home.byPassword('203.0.113.9')), host: 'other.localhost' }),
  ).toBeUndefined();
  await t.db
    .updateTable('verification')
    .set({ cookieExpiresAt: new Date(0) })
    .where('userId', 'is', null)
    .execute();
  expect(await home.check(atNewMapping(home.member(home.wang, 2)))).toEqual(full);
  expect(await home.check(atNewMapping(home.member(home.chen, 2)))).toBeUndefined();
});

test('deleting mappings that anonymous clients have filled makes room at the device, but only a few times', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  const tv = await insertMapping(t.db, { ...home, prefix: 'tv' });
  const requested = home.byPassword('203.0.113.9', tv);
  for (const n of [1, 2]) await home.insert(1, home.byPassword(`203.0.113.${n}`));
  for (const n of [3, 4]) await home.insert(1, home.byPassword(`203.0.113.${n}`, home.cam));
  expect(await home.check(requested)).toEqual(full);
  await t.db.deleteFrom('mapping').where('id', '=', home.nas).execute();

  expect(await home.check(requested)).toBeUndefined();
  await home.insert(1, home.byPassword('203.0.113.5', tv));
  expect(await home.check(requested)).toBeUndefined();
  await t.db.deleteFrom('mapping').where('id', '=', home.cam).execute();
  await home.insert(1, home.byPassword('203.0.113.6', tv));
  expect(await home.check(requested)).toEqual(full);
});

test('visitors other than the owner fill a mapping, then the device, but no other device', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  for (const n of [1, 2, 3]) await home.insert(1, home.byPassword(`203.0.113.${n}`));
  expect(await home.check(home.byPassword('203.0.113.9'))).toEqual(full);
  expect(await home.check(home.byPassword('203.0.113.9', home.cam))).toBeUndefined();
  await home.insert(1, home.byPassword('203.0.113.4', home.cam));

  expect(await home.check(home.byPassword('203.0.113.9', home.cam))).toEqual(full);
  const deviceId = await insertDevice(t.db, home);
  const mappingId = await insertMapping(t.db, { ...home, deviceId, prefix: 'tv' });
  expect(await home.check({ ...home.byPassword('203.0.113.9'), deviceId, mappingId })).toBeUndefined();
});

test('a revoked proof counts until its cookie expires, an expired one does not', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.insert(2, home.owner(1), { revokedAt: new Date() });
  expect(await home.check(home.owner(1))).toEqual(full);

  await home.insert(2, home.owner(2), { cookieExpiresAt: new Date(0) });
  expect(await home.check(home.owner(2))).toBeUndefined();
});
