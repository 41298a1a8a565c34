import { Button } from 'antd';
import type { CloudApp, Device } from '@tongtu/contract';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { devicesText } from '../../text/devices/devices.ts';
import { useScreensCloudApps } from './cloud-apps/use-cloud-apps.ts';
import { DeviceCard } from './device-card/device-card.tsx';
import type { DeviceDialog } from './device-dialog.ts';
import styles from './devices.module.css';
import { DeviceLine } from './list/device-line.tsx';
import { DeviceToolbar } from './list/device-toolbar.tsx';
import { groupNames, listRows, type ListRow } from './groups/group-rows.ts';
import { useFoldedGroups } from './groups/use-folded-groups.ts';
import listStyles from './list/list.module.css';
import { Rows } from './list/rows.tsx';
import { useDeviceLayout } from './list/use-device-layout.ts';
import { useFolding } from './list/use-folding.ts';
import { Choosable } from './many/choosable.tsx';
import { useChoice } from './many/use-choice.ts';
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

/** Loaded when there are groups. */
const GroupHead = lazy(async () => ({ default: (await import('./groups/group-head.tsx')).GroupHead }));
/** Loaded when the user begins to choose devices. */
const ManyBar = lazy(async () => ({ default: (await import('./many/many-bar.tsx')).ManyBar }));

type DeviceListProps = {
  devices: readonly Device[];
  /** The mapping whose link opened the screen; empty for none. */
  highlightedDomain: string;
  onOpen: (dialog: DeviceDialog) => void;
};

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
  const order = useCalmOrder(devices, choices.sort);
  const { search } = text;
  const apps = useScreensCloudApps()?.data ?? noApps;
  const selected = useMemo(
    () => selectDevices({ devices, apps }, { ...choices, search }, order),
    [devices, apps, choices, search, order],
  );
  const pattern = useMemo(() => createSearchPattern(search), [search]);
  const choice = useChoice(devices);
  const { folded, foldGroup } = useFoldedGroups();
  const isSearching = pattern !== undefined;
  // A search finds devices in folded groups, too.
  const rows = useMemo(
    () => listRows(selected, (group) => !isSearching && folded.includes(group)),
    [selected, folded, isSearching],
  );
  const isWhole = !isSearching && choices.filter === 'all';
  const { isUnfolded, fold } = useFolding(search);
  const shownIds = useMemo(
    () => rows.flatMap((row) => (row.type === 'device' ? [row.selected.device.id] : [])),
    [rows],
  );

  function drawDevice({ device, mappings, isFoundInside }: SelectedDevice): ReactNode {
    if (layout === 'cards') return <DeviceCard {...{ device, mappings, highlightedDomain, onOpen }} />;
    const hasHighlighted = device.mappings.some((mapping) => mappingName(mapping) === highlightedDomain);
    const isOpen = isUnfolded(device.id, isFoundInside || hasHighlighted);
    return <DeviceLine {...{ device, mappings, highlightedDomain, onOpen }} isUnfolded={isOpen} onFold={fold} />;
  }

  function draw(row: ListRow | undefined): ReactNode {
    if (row === undefined) return null;
    if (row.type === 'group') {
      return (
        <Suspense fallback={<div className={listStyles.groupFallback} />}>
          <GroupHead row={row} isWhole={isWhole} choice={choice} onFold={foldGroup} />
        </Suspense>
      );
    }
    return (
      <Choosable device={row.selected.device} choice={choice} shownIds={shownIds}>
        {drawDevice(row.selected)}
      </Choosable>
    );
  }

  const look = rowLooks[layout];
  return (
    <>
      <DeviceToolbar
        text={text}
        choices={choices}
        onChoose={setChoices}
        layout={layout}
        onLayout={setLayout}
        groups={groupNames(devices)}
        choice={devices.length > 1 ? choice : undefined}
      />
      <SearchedPattern value={pattern}>
        {rows.length > 0 && (
          <div className={layout === 'list' ? `${styles.panel} ${listStyles.lines}` : ''}>
            <Rows key={layout} rows={rows} keyOf={keyOfRow} draw={draw} label={devicesText.title} {...look} />
          </div>
        )}
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
      {choice.ids !== undefined && (
        <Suspense fallback={null}>
          <ManyBar devices={devices} shownIds={shownIds} choice={choice} onOpen={onOpen} />
        </Suspense>
      )}
    </>
  );
}

const rowLooks = { cards: { estimatedPx: 320, gapPx: 16 }, list: { estimatedPx: 49, gapPx: 0 } };

function keyOfRow(row: ListRow | undefined): string {
  if (row === undefined) return '';
  return row.type === 'group' ? `group ${row.name}` : String(row.selected.device.id);
}
