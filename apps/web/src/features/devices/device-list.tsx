import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Segmented } from 'antd';
import type { Device } from '@tongtu/contract';
import { lazy, Suspense, useState } from 'react';
import { devicesText } from '../../text/devices.ts';
import { DeviceCard } from './device-card/device-card.tsx';
import type { DeviceDialog } from './device-dialogs.tsx';
import styles from './devices.module.css';
import { clearable } from '../../ui/field-icons.tsx';
import {
  deviceFilters,
  type DeviceSelection,
  type DeviceSort,
  orderDevices,
  orderReason,
  selectDevices,
} from './select-devices.ts';

/** The list need not wait for its drop-down, which is a tenth of the screen's code. */
const SortSelect = lazy(async () => ({ default: (await import('./sort-select.tsx')).SortSelect }));

const shownAtFirst = 20;
const shownMore = 50;

const filterOptions = deviceFilters.map((value) => ({ value, label: devicesText.filter[value] }));

const clearSearch = clearable(devicesText.clearSearch);

type ToolbarProps = { selection: DeviceSelection; onChange: (selection: DeviceSelection) => void };

function Toolbar({ selection, onChange }: ToolbarProps) {
  return (
    <div className={styles.toolbar} role="search">
      <Input
        allowClear={clearSearch}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={devicesText.searchPlaceholder}
        aria-label={devicesText.searchPlaceholder}
        value={selection.search}
        onChange={(event) => onChange({ ...selection, search: event.target.value })}
        className={styles.search ?? ''}
      />
      <Segmented
        aria-label={devicesText.filterLabel}
        options={filterOptions}
        value={selection.filter}
        onChange={(filter) => onChange({ ...selection, filter })}
      />
      <span className={styles.sort}>
        <Suspense fallback={null}>
          <SortSelect sort={selection.sort} onChange={(sort) => onChange({ ...selection, sort })} />
        </Suspense>
      </span>
    </div>
  );
}

type DeviceListProps = {
  devices: readonly Device[];
  /** The mapping that brought the person here; empty for none. */
  highlightedDomain: string;
  onOpen: (dialog: DeviceDialog) => void;
};

/** Stays as it is until there is a reason for another order. */
function useCalmOrder(devices: readonly Device[], sort: DeviceSort): readonly number[] {
  const reason = orderReason(devices, sort);
  const [kept, setKept] = useState(() => ({ reason, order: orderDevices(devices, sort) }));
  if (kept.reason === reason) return kept.order;
  const order = orderDevices(devices, sort);
  setKept({ reason, order });
  return order;
}

const everything: DeviceSelection = { search: '', filter: 'all', sort: 'state' };

export function DeviceList({ devices, highlightedDomain, onOpen }: DeviceListProps) {
  const [selection, setSelection] = useState<DeviceSelection>({ ...everything, search: highlightedDomain });
  const [shownCount, setShownCount] = useState(shownAtFirst);
  const order = useCalmOrder(devices, selection.sort);
  const selected = selectDevices(devices, selection, order);
  const leftCount = selected.length - shownCount;
  return (
    <>
      <Toolbar selection={selection} onChange={setSelection} />
      <div className={styles.list}>
        {selected.slice(0, shownCount).map((device) => (
          <DeviceCard key={device.id} device={device} highlightedDomain={highlightedDomain} onOpen={onOpen} />
        ))}
      </div>
      {selected.length === 0 && (
        <div className={`${styles.panel} ${styles.noMatch}`} aria-live="polite">
          {devicesText.noMatch}
          <Button type="link" onClick={() => setSelection(everything)}>
            {devicesText.clearFilter}
          </Button>
        </div>
      )}
      {leftCount > 0 && (
        <Button block onClick={() => setShownCount(shownCount + shownMore)}>
          {devicesText.showMore(leftCount)}
        </Button>
      )}
    </>
  );
}
