import { AppstoreOutlined, BarsOutlined, CheckSquareOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { lazy, Suspense } from 'react';
import { devicesText } from '../../../text/devices/devices.ts';
import { manyDevicesText } from '../../../text/devices/many-devices.ts';
import type { Choice } from '../many/use-choice.ts';
import { SearchField } from '../search/search-field.tsx';
import type { SearchDraft } from '../../../ui/fields/use-search-draft.ts';
import { deviceFilters, type DeviceSelection } from '../select-devices.ts';
import styles from './list.module.css';
import { type DeviceLayout, deviceLayouts } from './use-device-layout.ts';

/** Loaded on demand, because the drop-down is a tenth of the screen's code. */
const SortSelect = lazy(async () => ({ default: (await import('./sort-select.tsx')).SortSelect }));

const GroupSelect = lazy(async () => ({ default: (await import('../groups/group-select.tsx')).GroupSelect }));

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
  groups: readonly string[];
  /** Undefined where there is nothing to choose from. */
  choice: Choice | undefined;
};

export function DeviceToolbar(props: DeviceToolbarProps) {
  const { text, choices, onChoose, layout, onLayout, groups, choice } = props;
  const { group, ...withoutGroup } = choices;
  return (
    <div className={styles.toolbar} role="search">
      <SearchField {...text} placeholder={devicesText.searchPlaceholder} />
      <Segmented
        aria-label={devicesText.filterLabel}
        options={filterOptions}
        value={choices.filter}
        onChange={(filter) => onChoose({ ...choices, filter })}
      />
      {(groups.length > 0 || group !== undefined) && (
        <span className={styles.sort}>
          <Suspense fallback={null}>
            <GroupSelect
              names={groups}
              group={group}
              onChange={(next) => onChoose({ ...withoutGroup, ...(next !== undefined && { group: next }) })}
            />
          </Suspense>
        </span>
      )}
      {choice && (
        <Button
          icon={<CheckSquareOutlined />}
          aria-pressed={choice.ids !== undefined}
          onClick={choice.ids === undefined ? choice.start : choice.stop}
        >
          {manyDevicesText.choose}
        </Button>
      )}
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
