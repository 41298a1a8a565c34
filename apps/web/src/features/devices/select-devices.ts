import type { Device } from '@tongtu/contract';
import { shownHost } from '../../shown-host.ts';

export const deviceFilters = ['all', 'online', 'offline'] as const;
type DeviceFilter = (typeof deviceFilters)[number];
export const deviceSorts = ['state', 'name', 'newest'] as const;
export type DeviceSort = (typeof deviceSorts)[number];

export type DeviceSelection = { search: string; filter: DeviceFilter; sort: DeviceSort };

function wordsOf(device: Device): string {
  const ofMappings = device.mappings.flatMap(({ domain, url, remark, target }) => [
    ...[domain, shownHost(domain), url, remark, target],
  ]);
  return [device.name, device.uid, device.public_ip, ...ofMappings].join('\n').toLowerCase();
}

function matches(device: Device, { search, filter }: DeviceSelection): boolean {
  if (filter !== 'all' && device.online !== (filter === 'online')) return false;
  return wordsOf(device).includes(search.trim().toLowerCase());
}

const byName = new Intl.Collator('zh-CN', { numeric: true });

const comparers: Record<DeviceSort, (a: Device, b: Device) => number> = {
  state: (a, b) => Number(b.online) - Number(a.online) || byName.compare(a.name, b.name),
  name: (a, b) => byName.compare(a.name, b.name),
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
};

/** The order of the devices by their ids; pinned ones always come first. */
export function orderDevices(devices: readonly Device[], sort: DeviceSort): number[] {
  const compare = comparers[sort];
  return devices
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || compare(a, b) || a.id - b.id)
    .map((device) => device.id);
}

/**
 * What a person did to have another order. A rename or a device coming online is none of it: the cards would jump away
 * from under the cursor.
 */
export function orderReason(devices: readonly Device[], sort: DeviceSort): string {
  const idsOf = (some: readonly Device[]) => some.map((device) => device.id).toSorted((a, b) => a - b);
  return JSON.stringify([sort, idsOf(devices), idsOf(devices.filter((device) => device.pinned))]);
}

/** The devices to show, in the order given. */
export function selectDevices(
  devices: readonly Device[],
  selection: DeviceSelection,
  order: readonly number[],
): Device[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = (device: Device) => places.get(device.id) ?? order.length;
  return devices.filter((device) => matches(device, selection)).toSorted((a, b) => placeOf(a) - placeOf(b));
}
