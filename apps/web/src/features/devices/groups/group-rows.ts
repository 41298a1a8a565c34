import type { Device } from '@tongtu/contract';
import type { SelectedDevice } from '../select-devices.ts';

export type GroupRow = {
  type: 'group';
  /** Empty: the devices without a group. */
  name: string;
  devices: readonly Device[];
  isFolded: boolean;
};
export type ListRow = GroupRow | { type: 'device'; selected: SelectedDevice };

const byName = new Intl.Collator('zh-CN', { numeric: true });

/** The names of all groups in order, without the empty one. */
export function groupNames(devices: readonly Device[]): string[] {
  const names = new Set(devices.map(({ group }) => group));
  names.delete('');
  return [...names].toSorted(byName.compare);
}

/**
 * The rows of the list: each group with its devices in the order given, the devices without a group last. Without any group
 * they are the devices alone.
 */
export function listRows(selected: readonly SelectedDevice[], isFolded: (group: string) => boolean): ListRow[] {
  const names = groupNames(selected.map(({ device }) => device));
  if (names.length === 0) return selected.map((each) => ({ type: 'device', selected: each }));
  const byGroup = Map.groupBy(selected, ({ device }) => device.group);
  return [...names, ''].flatMap((name) => {
    const members = byGroup.get(name) ?? [];
    if (members.length === 0) return [];
    const devices = members.map(({ device }) => device);
    const head: ListRow = { type: 'group', name, devices, isFolded: isFolded(name) };
    return [head, ...(head.isFolded ? [] : members.map((each): ListRow => ({ type: 'device', selected: each })))];
  });
}
