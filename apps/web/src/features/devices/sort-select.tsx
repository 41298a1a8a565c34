import { Select } from 'antd';
import { devicesText } from '../../text/devices.ts';
import styles from './devices.module.css';
import { type DeviceSort, deviceSorts } from './select-devices.ts';

const options = deviceSorts.map((value) => ({ value, label: devicesText.sort[value] }));

export function SortSelect({ sort, onChange }: { sort: DeviceSort; onChange: (sort: DeviceSort) => void }) {
  return (
    <Select
      options={options}
      value={sort}
      onChange={onChange}
      aria-label={devicesText.sortLabel}
      className={styles.sortSelect ?? ''}
    />
  );
}
