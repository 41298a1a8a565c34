import { Select } from 'antd';
import { groupsText } from '../../../text/devices/many-devices.ts';
import listStyles from '../list/list.module.css';

/** `group` undefined: all groups; empty: the devices without one. */
type GroupSelectProps = {
  names: readonly string[];
  group: string | undefined;
  onChange: (group: string | undefined) => void;
};

/** Values with a letter before the name, because a group may be called like another choice. */
const all = 'a';
const valueOf = (group: string | undefined) => (group === undefined ? all : `g${group}`);

export function GroupSelect({ names, group, onChange }: GroupSelectProps) {
  const options = [
    { value: all, label: groupsText.all },
    ...[...names, ''].map((name) => ({ value: valueOf(name), label: name === '' ? groupsText.none : name })),
  ];
  return (
    <Select
      options={options}
      value={valueOf(group)}
      onChange={(value) => onChange(value === all ? undefined : value.slice(1))}
      aria-label={groupsText.filterLabel}
      className={listStyles.sortSelect ?? ''}
    />
  );
}
