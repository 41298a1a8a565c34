import { SearchOutlined } from '@ant-design/icons';
import { Input, Segmented, Select } from 'antd';
import type { DeletedMapping, Device, Mapping } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { useEffect, useState } from 'react';
import { visibleName } from '../../text/names.ts';
import { recordsText } from '../../text/records.ts';
import { grounds, type RecordFilters, recordStates } from './record-filters.ts';
import { clearable } from '../../ui/field-icons.tsx';
import styles from './records.module.css';

const searchAfterMs = 300;
const everything = 'all';

const stateOptions = [
  { value: everything, label: recordsText.everyState },
  ...recordStates.map((value) => ({ value, label: recordsText.state[value] })),
];
const groundOptions = grounds.map((value) => ({ value, label: recordsText.ground[value] }));

const clearFilter = { ...clearable(), label: recordsText.clearFilter };
const clearSearch = clearable(recordsText.clearSearch);

function addressOfMapping({ port, domain, url }: Mapping): string {
  return port === null ? domain : url;
}

type SelectOption = { value: number; label: string };

/** One that was deleted while the address still names it is shown as such, not as a bare number. */
function withChosen(options: SelectOption[], chosen: number | undefined, word: string): SelectOption[] {
  const isThere = chosen === undefined || options.some(({ value }) => value === chosen);
  return isThere ? options : [...options, { value: chosen, label: word }];
}

function addressOfDeleted({ kind, domain, port }: DeletedMapping): string {
  return port === null ? domain : `${kind}://${domain}:${port}`;
}

/** What there is, and below it what is deleted, the last first. */
function placeOptions(
  devices: readonly Device[],
  deleted: readonly DeletedMapping[],
  { router, mapping }: RecordFilters,
) {
  const isChosen = (id: number) => router === undefined || id === router;
  const mappings = devices.filter(({ id }) => isChosen(id)).flatMap((device) => device.mappings);
  const goneDevices = new Map(
    deleted
      .filter(({ router_deleted: isGone }) => isGone)
      .map(({ router: id, router_name: name }) => [id, recordsText.deleted(visibleName(name, recordsText.noName))]),
  );
  const goneMappings = deleted
    .filter((each) => isChosen(each.router))
    .map((each) => ({ value: each.id, label: recordsText.deleted(addressOfDeleted(each)) }));
  return {
    devices: withChosen(
      [
        ...devices.map(({ id, name }) => ({ value: id, label: name })),
        ...Array.from(goneDevices, ([value, label]) => ({ value, label })),
      ],
      router,
      recordsText.goneDevice,
    ),
    mappings: withChosen(
      [...mappings.map((each) => ({ value: each.id, label: addressOfMapping(each) })), ...goneMappings],
      mapping,
      recordsText.goneMapping,
    ),
  };
}

/** Typing is not to ask the server at every key. */
function useSearchDraft(search: string, onChange: (search: string) => void) {
  const [draft, setDraft] = useState(search);
  const [seenSearch, setSeenSearch] = useState(search);
  if (search !== seenSearch) {
    setSeenSearch(search);
    setDraft(search);
  }
  useEffect(() => {
    if (draft === search) return undefined;
    const timer = setTimeout(() => onChange(draft), searchAfterMs);
    return () => clearTimeout(timer);
  }, [draft, search, onChange]);
  return [draft, setDraft] as const;
}

type RecordToolbarProps = {
  filters: RecordFilters;
  /** Undefined before they are known. */
  devices: readonly Device[] | undefined;
  deleted: readonly DeletedMapping[] | undefined;
  onChange: (change: Partial<RecordFilters>) => void;
};

export function RecordToolbar({ filters, devices, deleted, onChange }: RecordToolbarProps) {
  const [draft, setDraft] = useSearchDraft(filters.search, (search) => onChange({ search }));
  const places = placeOptions(devices ?? [], deleted ?? [], filters);
  const select = { allowClear: clearFilter, className: styles.select ?? '', loading: devices === undefined } as const;
  return (
    <div className={styles.toolbar} role="search">
      <Input
        allowClear={clearSearch}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={recordsText.search}
        aria-label={recordsText.search}
        value={draft}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={(event) => setDraft(event.target.value)}
        className={styles.search ?? ''}
      />
      <Segmented
        aria-label={recordsText.stateLabel}
        options={stateOptions}
        value={filters.state ?? everything}
        onChange={(value) => onChange({ state: recordStates.find((state) => state === value) })}
      />
      <Select
        {...select}
        options={places.devices}
        value={filters.router ?? null}
        placeholder={recordsText.everyDevice}
        aria-label={recordsText.deviceLabel}
        onChange={(router: number | null | undefined) => onChange({ router: router ?? undefined, mapping: undefined })}
      />
      <Select
        {...select}
        options={places.mappings}
        value={filters.mapping ?? null}
        placeholder={recordsText.everyMapping}
        aria-label={recordsText.mappingLabel}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(mapping: number | null | undefined) => onChange({ mapping: mapping ?? undefined })}
      />
      <Select
        {...select}
        loading={false}
        options={groundOptions}
        value={filters.ground ?? null}
        placeholder={recordsText.everyGround}
        aria-label={recordsText.groundLabel}
        onChange={(ground: RecordFilters['ground'] | null) => onChange({ ground: ground ?? undefined })}
      />
    </div>
  );
}
