import { Select } from 'antd';
import { devicesText } from '../../../text/devices/devices.ts';
import { type DeviceSort, deviceSorts } from '../select-devices.ts';
import styles from './list.module.css';

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
