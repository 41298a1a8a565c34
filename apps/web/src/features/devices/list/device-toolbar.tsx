import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons';
import { Segmented } from 'antd';
import { lazy, Suspense } from 'react';
import { devicesText } from '../../../text/devices/devices.ts';
import { SearchField } from '../search/search-field.tsx';
import type { SearchDraft } from '../../../ui/fields/use-search-draft.ts';
import { deviceFilters, type DeviceSelection } from '../select-devices.ts';
import styles from './list.module.css';
import { type DeviceLayout, deviceLayouts } from './use-device-layout.ts';

/** Loaded on demand, because the drop-down is a tenth of the screen's code. */
const SortSelect = lazy(async () => ({ default: (await import('./sort-select.tsx')).SortSelect }));

const filterOptions = deviceFilters.map((value) => ({ value, label: devicesText.filter[value] }));
const layoutIcons = { cards: <AppstoreOutlined />, list: <BarsOutlined /> };
const layoutOptions = deviceLayouts.map((value) => ({
  value,
  icon: layoutIcons[value],
  label: devicesText.layout[value],
}));

type Choices = Omit<DeviceSelection, 'search'>;

type DeviceToolbarProps = {
  text: SearchDraft;
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
        <span className={styles.sort}>
          <Suspense fallback={null}>
            <SortSelect sort={choices.sort} onChange={(sort) => onChoose({ ...choices, sort })} />
          </Suspense>
        </span>
      </span>
    </div>
  );
}
