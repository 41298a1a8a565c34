import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping } from '../../testing/device-fixtures.ts';
import { assertRoomForProof } from './assert-room-for-proof.ts';
import type { ComingProof } from './proof-count-store.ts';

const limits = { ofLogin: 2, ofVisitor: 2, ofMapping: 3, ofDevice: 4, ofOwner: 5 };
const full = expect.objectContaining({ code: 'gate.too-many-proofs' });
const soon = new Date(Date.now() + 3_600_000);

async function openHome({ db }: TestDb) {
  const home = await insertHome(db);
  const [nas, cam] = [
    await insertMapping(db, { ...home, prefix: 'nas' }),
    await insertMapping(db, { ...home, prefix: 'cam' }),
  ];
  const members = await db
    .insertInto('mappingMember')
    .values([
      { mappingId: nas, contact: 'wang@example.com' },
      { mappingId: nas, contact: 'chen@example.com' },
    ])
    .returning('id')
    .execute();
  const [wang = 0, chen = 0] = members.map(({ id }) => id);
  const { deviceId } = home;
  const owner = (sessionId: number): ComingProof => ({
    ...{ mappingId: nas, deviceId, grantedBy: 'owner', sessionId, memberId: null, network: '203.0.113.1' },
  });
  const member = (memberId: number, sessionId: number): ComingProof => ({
    ...{ mappingId: nas, deviceId, grantedBy: 'member', sessionId, memberId, network: '203.0.113.1' },
  });
  const byPassword = (network: string, mappingId = nas): ComingProof => ({
    ...{ mappingId, deviceId, grantedBy: 'password', sessionId: null, memberId: null, network },
  });
  return {
    ...{ ...home, nas, cam, wang, chen, owner, member, byPassword },
    /** So many of them are there already. */
    have: async (count: number, proof: ComingProof, times: { cookieExpiresAt?: Date; revokedAt?: Date } = {}) => {
      const { deviceId: _device, network: visitorNetwork, ...rest } = proof;
      const row = { ...rest, visitorNetwork, host: 'nas.localhost', visitorIp: '203.0.113.1', userAgent: '' };
      const values = { ...row, expiresAt: soon, cookieExpiresAt: soon, ...times };
      await db
        .insertInto('verification')
        .values(Array.from({ length: count }, () => values))
        .execute();
    },
    room: async (proof: ComingProof) => await assertRoomForProof(db, proof, limits).catch((error: unknown) => error),
  };
}

test('a login makes so many proofs and no more; another login of the same account goes on', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.have(1, home.owner(1));
  expect(await home.room(home.owner(1))).toBeUndefined();
  await home.have(1, { ...home.owner(1), mappingId: home.cam });

  expect(await home.room(home.owner(1))).toEqual(full);
  expect(await home.room(home.owner(2))).toBeUndefined();
});

test('an owner has a number of their own, which nobody else uses up', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  for (const n of [1, 2, 3, 4]) await home.have(1, home.byPassword(`203.0.113.${n}`));
  for (const n of [1, 2, 3, 4]) await home.have(1, home.owner(n));
  expect(await home.room(home.owner(5))).toBeUndefined();
  await home.have(1, home.owner(5));

  expect(await home.room(home.owner(6))).toEqual(full);
});

test('a member uses up only what is theirs', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.have(2, home.member(home.wang, 1));

  expect(await home.room(home.member(home.wang, 2))).toEqual(full);
  expect(await home.room(home.member(home.chen, 3))).toBeUndefined();
  expect(await home.room(home.byPassword('203.0.113.1'))).toBeUndefined();
});

test('the browsers of a network use up only what is theirs, at one mapping', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.have(2, home.byPassword('2001:db8::'));

  expect(await home.room(home.byPassword('2001:db8::'))).toEqual(full);
  expect(await home.room({ ...home.byPassword('2001:db8::'), grantedBy: 'share' })).toEqual(full);
  expect(await home.room(home.byPassword('2001:db8:0:1::'))).toBeUndefined();
  expect(await home.room(home.byPassword('2001:db8::', home.cam))).toBeUndefined();
});

test('all others together fill a mapping, and then the device, but no other device', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  for (const n of [1, 2, 3]) await home.have(1, home.byPassword(`203.0.113.${n}`));
  expect(await home.room(home.byPassword('203.0.113.9'))).toEqual(full);
  expect(await home.room(home.byPassword('203.0.113.9', home.cam))).toBeUndefined();
  await home.have(1, home.byPassword('203.0.113.4', home.cam));

  expect(await home.room(home.byPassword('203.0.113.9', home.cam))).toEqual(full);
  const deviceId = await insertDevice(t.db, home);
  const mappingId = await insertMapping(t.db, { ...home, deviceId, prefix: 'tv' });
  expect(await home.room({ ...home.byPassword('203.0.113.9'), deviceId, mappingId })).toBeUndefined();
});

test('what was ended counts until its cookie runs out, what has run out does not', async () => {
  await using t = await openTestDb();
  const home = await openHome(t);
  await home.have(2, home.owner(1), { revokedAt: new Date() });
  expect(await home.room(home.owner(1))).toEqual(full);

  await home.have(2, home.owner(2), { cookieExpiresAt: new Date(0) });
  expect(await home.room(home.owner(2))).toBeUndefined();
});
