import type { Device } from '@tongtu/contract';

export const deviceFilters = ['all', 'online', 'offline'] as const;
type DeviceFilter = (typeof deviceFilters)[number];
export const deviceSorts = ['state', 'name', 'newest'] as const;
type DeviceSort = (typeof deviceSorts)[number];

export type DeviceSelection = { search: string; filter: DeviceFilter; sort: DeviceSort };

function wordsOf(device: Device): string {
  const ofMappings = device.mappings.flatMap(({ domain, remark, target }) => [domain, remark, target]);
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

/** The devices to show, in order; pinned ones always come first. */
export function selectDevices(devices: readonly Device[], selection: DeviceSelection): Device[] {
  const compare = comparers[selection.sort];
  return devices
    .filter((device) => matches(device, selection))
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || compare(a, b) || a.id - b.id);
}
