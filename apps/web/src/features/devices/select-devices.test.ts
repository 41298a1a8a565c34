import type { Device } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { orderDevices, orderReason, selectDevices } from './select-devices.ts';
import { appOf } from '../../testing/app-fixtures.ts';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';

function device(id: number, name: string, more: Partial<Device> = {}): Device {
  const created = `2026-11-0${id}T00:00:00.000Z`;
  return deviceOf({ id, uid: `00000000000${id}`, name, online: false, state: 'offline', created_at: created, ...more });
}

const mapping = mappingOf({ prefix: 'photos', domain: 'photos.localhost', remark: '给家人看的相册' });

const devices = [
  device(1, 'NAS 10'),
  device(2, 'NAS 9', { mappings: [mapping] }),
  device(3, '路由器', { online: true, state: 'online' }),
  device(4, '旧电脑', { pinned: true }),
];

const apps = [
  appOf({ id: 21, router: 1, name: '书房终端', host: '192.168.7.20', port: 2222 }),
  appOf({ id: 22, router: 3, name: '别人的书房', is_own: false }),
];

function namesOf(partial: Partial<Parameters<typeof selectDevices>[1]>): string[] {
  const selection = { search: '', filter: 'all', sort: 'state', ...partial } as const;
  return selectDevices({ devices, apps }, selection, orderDevices(devices, selection.sort)).map(
    ({ device: { name } }) => name,
  );
}

test('cards stay where they are when a device is renamed or comes online, and move when one is pinned or new', () => {
  const [first, ...others] = devices;
  const withFirst = (change: Partial<Device>) => [{ ...device(1, 'NAS 10'), ...change }, ...others];
  expect(first?.id).toBe(1);
  const reason = orderReason(devices, 'state');
  expect(orderReason(withFirst({ name: 'AAA', online: true, state: 'online' }).toReversed(), 'state')).toBe(reason);
  expect(orderReason(withFirst({ pinned: true }), 'state')).not.toBe(reason);
  expect(orderReason([...devices, device(5, 'new')], 'state')).not.toBe(reason);
  expect(orderReason(devices, 'name')).not.toBe(reason);
});

test('a device that the order does not know yet comes last', () => {
  const selection = { search: '', filter: 'all', sort: 'state' } as const;
  expect(selectDevices({ devices, apps }, selection, [4, 3, 2]).map(({ device: { id } }) => id)).toEqual([4, 3, 2, 1]);
});

test('pinned devices come first, then those online, then by name with numbers in their order', () => {
  expect(namesOf({})).toEqual(['旧电脑', '路由器', 'NAS 9', 'NAS 10']);
  expect(namesOf({ sort: 'newest' })).toEqual(['旧电脑', '路由器', 'NAS 9', 'NAS 10']);
});

test('a search finds names, ids, domains and remarks, whatever the case', () => {
  expect(namesOf({ search: ' nas 1' })).toEqual(['NAS 10']);
  expect(namesOf({ search: '000000000003' })).toEqual(['路由器']);
  expect(namesOf({ search: 'PHOTOS.local' })).toEqual(['NAS 9']);
  expect(namesOf({ search: '相册' })).toEqual(['NAS 9']);
});

test('a search finds the own apps of a device by their name and target', () => {
  expect(namesOf({ search: '书房' })).toEqual(['NAS 10']);
  expect(namesOf({ search: '7.20:2222' })).toEqual(['NAS 10']);
  const selection = { search: '书房', filter: 'all', sort: 'state' } as const;
  expect(selectDevices({ devices, apps }, selection, [])).toMatchObject([{ isFoundInside: true }]);
});

test('the filter keeps what is online or what is not', () => {
  expect(namesOf({ filter: 'online' })).toEqual(['路由器']);
  expect(namesOf({ filter: 'offline' })).toEqual(['旧电脑', 'NAS 9', 'NAS 10']);
});
