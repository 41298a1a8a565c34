import type { CloudApp, Device, Mapping } from '@tongtu/contract';
import { shownHost } from '../../address/shown-host.ts';
import { appAddress } from './cloud-apps/app-address.ts';
import { visitorUrl } from './mapping-address.ts';
import { createSearchPattern } from './search/search-pattern.ts';

export const deviceFilters = ['all', 'online', 'offline'] as const;
type DeviceFilter = (typeof deviceFilters)[number];
export const deviceSorts = ['state', 'name', 'newest'] as const;
export type DeviceSort = (typeof deviceSorts)[number];

/** `group` absent: all; empty: the devices without a group. */
export type DeviceSelection = { search: string; filter: DeviceFilter; sort: DeviceSort; group?: string };

/**
 * A device to show. When the search matches some of its mappings, `mappings` are only those. `isFoundInside`: it matches a
 * mapping or an app.
 */
export type SelectedDevice = { device: Device; mappings: readonly Mapping[]; isFoundInside: boolean };

export function matchesApp(app: CloudApp, pattern: RegExp): boolean {
  return [app.name, appAddress(app)].some((text) => pattern.test(text));
}

export function matchesMapping(mapping: Mapping, pattern: RegExp): boolean {
  const { domain, url, remark, target } = mapping;
  return [domain, shownHost(domain), url, visitorUrl(mapping), remark, target].some((text) => pattern.test(text));
}

function selectDevice(
  device: Device,
  apps: readonly CloudApp[],
  pattern: RegExp | undefined,
): SelectedDevice | undefined {
  if (pattern === undefined) return { device, mappings: device.mappings, isFoundInside: false };
  const mappings = device.mappings.filter((mapping) => matchesMapping(mapping, pattern));
  if (mappings.length > 0) return { device, mappings, isFoundInside: true };
  const isFoundByApp = apps.some((app) => app.is_own && app.router === device.id && matchesApp(app, pattern));
  const isFound = isFoundByApp || [device.name, device.uid, device.public_ip].some((text) => pattern.test(text));
  return isFound ? { device, mappings: device.mappings, isFoundInside: isFoundByApp } : undefined;
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
  { devices, apps }: { devices: readonly Device[]; apps: readonly CloudApp[] },
  { search, filter, group }: DeviceSelection,
  order: readonly number[],
): SelectedDevice[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ device }: SelectedDevice) => places.get(device.id) ?? order.length;
  const pattern = createSearchPattern(search);
  return devices
    .filter((device) => filter === 'all' || device.online === (filter === 'online'))
    .filter((device) => group === undefined || device.group === group)
    .flatMap((device) => selectDevice(device, apps, pattern) ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}
