import type { Device, Mapping } from '@tongtu/contract';
import { shownHost } from '../../address/shown-host.ts';
import { visitorUrl } from './mapping-address.ts';
import { createSearchPattern } from './search/search-pattern.ts';

export const deviceFilters = ['all', 'online', 'offline'] as const;
type DeviceFilter = (typeof deviceFilters)[number];
export const deviceSorts = ['state', 'name', 'newest'] as const;
export type DeviceSort = (typeof deviceSorts)[number];

export type DeviceSelection = { search: string; filter: DeviceFilter; sort: DeviceSort };

/** A device to show. When the search matches some of its mappings, `mappings` are only those. */
export type SelectedDevice = { device: Device; mappings: readonly Mapping[]; isFoundByMapping: boolean };

function matchesMapping(mapping: Mapping, pattern: RegExp): boolean {
  const { domain, url, remark, target } = mapping;
  return [domain, shownHost(domain), url, visitorUrl(mapping), remark, target].some((text) => pattern.test(text));
}

function selectDevice(device: Device, pattern: RegExp | undefined): SelectedDevice | undefined {
  if (pattern === undefined) return { device, mappings: device.mappings, isFoundByMapping: false };
  const mappings = device.mappings.filter((mapping) => matchesMapping(mapping, pattern));
  if (mappings.length > 0) return { device, mappings, isFoundByMapping: true };
  const isFound = [device.name, device.uid, device.public_ip].some((text) => pattern.test(text));
  return isFound ? { device, mappings: device.mappings, isFoundByMapping: false } : undefined;
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
 * Identifies the order that the user has chosen. A rename or a change of state is not part of it: otherwise cards would
 * move away under the cursor.
 */
export function orderReason(devices: readonly Device[], sort: DeviceSort): string {
  const idsOf = (some: readonly Device[]) => some.map((device) => device.id).toSorted((a, b) => a - b);
  return JSON.stringify([sort, idsOf(devices), idsOf(devices.filter((device) => device.pinned))]);
}

/** The devices to show, in the order given. */
export function selectDevices(
  devices: readonly Device[],
  { search, filter }: DeviceSelection,
  order: readonly number[],
): SelectedDevice[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ device }: SelectedDevice) => places.get(device.id) ?? order.length;
  const pattern = createSearchPattern(search);
  return devices
    .filter((device) => filter === 'all' || device.online === (filter === 'online'))
    .flatMap((device) => selectDevice(device, pattern) ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}
