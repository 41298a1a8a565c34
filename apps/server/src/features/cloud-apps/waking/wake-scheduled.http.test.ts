import { type CloudAppWake, MAX_WAKE_TIMES } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { insertPresence, insertRelay } from '../../../testing/device-fixtures.ts';
import { wakeScheduled } from '../index.ts';
import { appsPath, bodyOf, fakeDevices, openCloudApps } from '../testing/open-cloud-apps.ts';

const mac = 'd8:bb:c1:0a:2f:e4';
const workdays = { days: [1, 2, 3, 4, 5], at: '07:30' };
const pc = { kind: 'wol', name: '书房的电脑', host: '192.168.1.20', options: { mac }, wake_times: [workdays] };
/** A Monday, 7:30 in Beijing. */
const monday = Date.parse('2026-11-23T07:30:00+08:00');
const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

async function openHome(input: object = {}) {
  const home = await openCloudApps();
  await insertRelay(home.db, { serverId: home.serverId });
  await insertPresence(home.db, { deviceId: home.deviceId });
  const { id } = await home.create({ ...pc, ...input });
  const wakes = async () => bodyOf<CloudAppWake[]>(await home.owner.call('GET', `${appsPath}${id}/wakes/`));
  return { ...home, id, wakes };
}

test('two processes that look again and again wake the host once in its minute', async () => {
  await using home = await openHome();
  const processes = [fakeDevices(), fakeDevices()];
  for (const atMs of [monday, monday + 10 * SECOND_MS, monday + 59 * SECOND_MS])
    await Promise.all(processes.map((devices) => wakeScheduled({ db: home.db, devices }, atMs)));
  expect(processes.flatMap(({ woken }) => woken)).toEqual([{ relayIds: ['r1'], deviceId: home.deviceId, mac }]);
  expect(await home.wakes()).toMatchObject([{ account: null, is_own: false, ip: null, result: 'sent' }]);

  for (const devices of processes) await wakeScheduled({ db: home.db, devices }, monday + DAY_MS);
  expect(processes.flatMap(({ woken }) => woken)).toHaveLength(2);
});

test('only the minutes of the schedule count, and none is made up for', async () => {
  await using home = await openHome();
  for (const atMs of [
    monday - SECOND_MS,
    monday + 60 * SECOND_MS,
    monday - DAY_MS, // a Sunday
    monday + 5 * DAY_MS, // a Saturday
    monday + 12 * 60 * 60 * SECOND_MS,
  ])
    await wakeScheduled({ db: home.db, devices: home.devices }, atMs);
  expect(home.devices.woken).toEqual([]);
  expect(await home.wakes()).toEqual([]);
});

test('the process that is connected to the relay wakes the host; without any the record says that it failed', async () => {
  await using home = await openHome();
  const [far, near] = [fakeDevices(), fakeDevices()];
  far.isConnected = false;
  await wakeScheduled({ db: home.db, devices: far }, monday);
  await wakeScheduled({ db: home.db, devices: near }, monday + 5 * SECOND_MS);
  expect([far.woken, near.woken]).toEqual([[], [{ relayIds: ['r1'], deviceId: home.deviceId, mac }]]);

  far.wakeResult = undefined;
  await wakeScheduled({ db: home.db, devices: far }, monday + DAY_MS + 20 * SECOND_MS);
  expect(await home.wakes()).toHaveLength(1);
  await wakeScheduled({ db: home.db, devices: far }, monday + DAY_MS + 30 * SECOND_MS);
  expect(await home.wakes()).toMatchObject([{ result: 'failed' }, { result: 'sent' }]);
});

test('the record of an offline device says so', async () => {
  await using home = await openHome();
  await home.db.deleteFrom('devicePresence').execute();
  await wakeScheduled({ db: home.db, devices: home.devices }, monday);
  expect(home.devices.woken).toEqual([]);
  expect(await home.wakes()).toMatchObject([{ account: null, result: 'device-offline' }]);
});

test('disabled apps and devices sleep on', async () => {
  await using home = await openHome();
  bodyOf(await home.owner.call('PATCH', `${appsPath}${home.id}/`, { enabled: false }));
  await wakeScheduled({ db: home.db, devices: home.devices }, monday);
  bodyOf(await home.owner.call('PATCH', `${appsPath}${home.id}/`, { enabled: true }));
  await home.db.updateTable('device').set({ enabled: false }).execute();
  await wakeScheduled({ db: home.db, devices: home.devices }, monday);
  expect(home.devices.woken).toEqual([]);
});

test('the owner changes the schedule; other kinds have none, and each time must be one', async () => {
  await using home = await openHome();
  const path = `${appsPath}${home.id}/`;
  const weekend = [{ days: [6, 7], at: '09:00' }];
  expect(bodyOf(await home.owner.call('PATCH', path, { wake_times: weekend }))).toMatchObject({ wake_times: weekend });
  await home.addMember(home.id);
  expect(await home.friend.call('PATCH', path, { wake_times: [] })).toMatchObject({ status: 404 });

  const ssh = await home.create({ options: { mac } });
  expect(await home.owner.call('PATCH', `${appsPath}${ssh.id}/`, { wake_times: weekend })).toMatchObject({
    status: 422,
    body: { code: 'cloud-app.option-not-possible', errors: { wake_times: [expect.any(String)] } },
  });
  for (const wrong of [
    [{ days: [], at: '09:00' }],
    [{ days: [1, 1], at: '09:00' }],
    [{ days: [8], at: '09:00' }],
    [{ days: [1], at: '24:00' }],
    [{ days: [1], at: '9:00' }],
    Array.from({ length: MAX_WAKE_TIMES + 1 }, () => workdays),
  ])
    expect(await home.owner.call('PATCH', path, { wake_times: wrong })).toMatchObject({ status: 422 });
});
