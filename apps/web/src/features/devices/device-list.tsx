import { Button } from 'antd';
import type { CloudApp, Device } from '@tongtu/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { devicesText } from '../../text/devices/devices.ts';
import { useScreensCloudApps } from './cloud-apps/use-cloud-apps.ts';
import { DeviceCard } from './device-card/device-card.tsx';
import type { DeviceDialog } from './device-dialogs.tsx';
import styles from './devices.module.css';
import { DeviceLine } from './list/device-line.tsx';
import { DeviceToolbar } from './list/device-toolbar.tsx';
import listStyles from './list/list.module.css';
import { ShowMore } from './list/show-more.tsx';
import { useDeviceLayout } from './list/use-device-layout.ts';
import { useFolding } from './list/use-folding.ts';
import { mappingName } from './mapping-address.ts';
import { SearchedPattern } from './search/marked.tsx';
import { createSearchPattern } from './search/search-pattern.ts';
import { useSearchText } from './search/use-search-text.ts';
import {
  type DeviceSelection,
  type DeviceSort,
  orderDevices,
  orderReason,
  type SelectedDevice,
  selectDevices,
} from './select-devices.ts';

const shownAtFirst = { cards: 20, list: 60 };
const shownMore = { cards: 50, list: 60 };
/**
 * How many lines the first render has. React renders the others afterwards in small steps, so that the page stays
 * responsive.
 */
const drawnAtOnce = 30;

type DeviceListProps = {
  devices: readonly Device[];
  /** The mapping whose link opened the screen; empty for none. */
  highlightedDomain: string;
  onOpen: (dialog: DeviceDialog) => void;
};

function useShown(selected: readonly SelectedDevice[], count: number): readonly SelectedDevice[] {
  const shown = useMemo(() => selected.slice(0, count), [selected, count]);
  return useDeferredValue(shown, shown.slice(0, drawnAtOnce));
}

/** Does not change until the user chooses another order. */
function useCalmOrder(devices: readonly Device[], sort: DeviceSort): readonly number[] {
  const reason = orderReason(devices, sort);
  const [kept, setKept] = useState(() => ({ reason, order: orderDevices(devices, sort) }));
  if (kept.reason === reason) return kept.order;
  const order = orderDevices(devices, sort);
  setKept({ reason, order });
  return order;
}

const noApps: readonly CloudApp[] = [];
const everything = { filter: 'all', sort: 'state' } as const satisfies Omit<DeviceSelection, 'search'>;

export function DeviceList({ devices, highlightedDomain, onOpen }: DeviceListProps) {
  const text = useSearchText();
  const [choices, setChoices] = useState<Omit<DeviceSelection, 'search'>>(everything);
  const [layout, setLayout] = useDeviceLayout(devices.length);
  const [moreCount, setMoreCount] = useState(0);
  const order = useCalmOrder(devices, choices.sort);
  const { search } = text;
  const apps = useScreensCloudApps()?.data ?? noApps;
  const selected = useMemo(
    () => selectDevices({ devices, apps }, { ...choices, search }, order),
    [devices, apps, choices, search, order],
  );
  const pattern = useMemo(() => createSearchPattern(search), [search]);
  const shownCount = shownAtFirst[layout] + moreCount;
  const leftCount = selected.length - shownCount;
  const shown = { selected: useShown(selected, shownCount), highlightedDomain, onOpen };
  return (
    <>
      <DeviceToolbar text={text} choices={choices} onChoose={setChoices} layout={layout} onLayout={setLayout} />
      <SearchedPattern value={pattern}>
        {layout === 'cards' ? <Cards {...shown} /> : <Lines {...shown} search={search} />}
      </SearchedPattern>
      {selected.length === 0 && (
        <div className={`${styles.panel} ${styles.noMatch}`} aria-live="polite">
          {devicesText.noMatch}
          <Button
            type="link"
            onClick={() => {
              setChoices(everything);
              text.searchFor('');
            }}
          >
            {devicesText.clearFilter}
          </Button>
        </div>
      )}
      {leftCount > 0 && (
        <ShowMore
          key={layout}
          leftCount={leftCount}
          isAutomatic={layout === 'list'}
          onMore={() => setMoreCount(moreCount + shownMore[layout])}
        />
      )}
    </>
  );
}

type ShownDevices = Omit<DeviceListProps, 'devices'> & { selected: readonly SelectedDevice[] };

function Cards({ selected, highlightedDomain, onOpen }: ShownDevices) {
  return (
    <div className={styles.list}>
      {selected.map(({ device, mappings }) => (
        <DeviceCard
          key={device.id}
          device={device}
          mappings={mappings}
          highlightedDomain={highlightedDomain}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

function Lines({ selected, highlightedDomain, search, onOpen }: ShownDevices & { search: string }) {
  const { isUnfolded, fold } = useFolding(search);
  if (selected.length === 0) return null;
  return (
    <div className={`${styles.panel} ${listStyles.lines}`}>
      {selected.map(({ device, mappings, isFoundInside }) => (
        <DeviceLine
          key={device.id}
          device={device}
          mappings={mappings}
          isUnfolded={isUnfolded(
            device.id,
            isFoundInside || device.mappings.some((mapping) => mappingName(mapping) === highlightedDomain),
          )}
          highlightedDomain={highlightedDomain}
          onFold={fold}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}
