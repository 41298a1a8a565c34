import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons';
import { Segmented, Select } from 'antd';
import { devicesText } from '../../../text/devices.ts';
import { SearchField } from '../search/search-field.tsx';
import type { SearchText } from '../search/use-search-text.ts';
import { deviceFilters, type DeviceSelection, deviceSorts } from '../select-devices.ts';
import styles from './list.module.css';
import { type DeviceLayout, deviceLayouts } from './use-device-layout.ts';

const filterOptions = deviceFilters.map((value) => ({ value, label: devicesText.filter[value] }));
const sortOptions = deviceSorts.map((value) => ({ value, label: devicesText.sort[value] }));
const layoutIcons = { cards: <AppstoreOutlined />, list: <BarsOutlined /> };
const layoutOptions = deviceLayouts.map((value) => ({
  value,
  icon: layoutIcons[value],
  label: devicesText.layout[value],
}));

type Choices = Omit<DeviceSelection, 'search'>;

type DeviceToolbarProps = {
  text: SearchText;
  choices: Choices;
  onChoose: (choices: Choices) => void;
  layout: DeviceLayout;
  onLayout: (layout: DeviceLayout) => void;
};

export function DeviceToolbar({ text, choices, onChoose, layout, onLayout }: DeviceToolbarProps) {
  return (
    <div className={styles.toolbar} role="search">
      <SearchField {...text} placeholder={devicesText.searchPlaceholder} />
      <Segmented
        aria-label={devicesText.filterLabel}
        options={filterOptions}
        value={choices.filter}
        onChange={(filter) => onChoose({ ...choices, filter })}
      />
      <span className={styles.look}>
        <Segmented aria-label={devicesText.layoutLabel} options={layoutOptions} value={layout} onChange={onLayout} />
        <Select
          options={sortOptions}
          value={choices.sort}
          onChange={(sort) => onChoose({ ...choices, sort })}
          aria-label={devicesText.sortLabel}
          className={styles.sort ?? ''}
        />
      </span>
    </div>
  );
}
