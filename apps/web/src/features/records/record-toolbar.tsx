import { SearchOutlined } from '@ant-design/icons';
import { Input, Segmented, Select } from 'antd';
import type { DeletedMapping, Device } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { recordsText } from '../../text/records.ts';
import { placeOptions } from './place-options.ts';
import { grounds, type RecordFilters, recordStates } from './record-filters.ts';
import { clearable } from '../../ui/fields/field-icons.tsx';
import { useSearchDraft } from '../../ui/fields/use-search-draft.ts';
import styles from './records.module.css';

const everything = 'all';

const stateOptions = [
  { value: everything, label: recordsText.everyState },
  ...recordStates.map((value) => ({ value, label: recordsText.state[value] })),
];
const groundOptions = grounds.map((value) => ({ value, label: recordsText.ground[value] }));

const clearFilter = { ...clearable(), label: recordsText.clearFilter };
const clearSearch = clearable(recordsText.clearSearch);

/** The list is wider than its field, so that the ends of similar names are visible. */
const popup = {
  popupMatchSelectWidth: false,
  classNames: { popup: { root: styles.popup ?? '' } },
} as const;
const placeField = { ...popup, optionLabelProp: 'chosen' } as const;

type RecordToolbarProps = {
  filters: RecordFilters;
  /** Undefined until loaded. */
  devices: readonly Device[] | undefined;
  deleted: readonly DeletedMapping[] | undefined;
  onChange: (change: Partial<RecordFilters>) => void;
};

export function RecordToolbar({ filters, devices, deleted, onChange }: RecordToolbarProps) {
  const { typed, setTyped, composition } = useSearchDraft(filters.search, (search) => onChange({ search }));
  const places = placeOptions(devices ?? [], deleted ?? [], filters);
  const isAdmitted = filters.view === 'admitted';
  const select = { allowClear: clearFilter, className: styles.select ?? '', loading: devices === undefined } as const;
  return (
    <div className={styles.toolbar} role="search">
      <Input
        allowClear={clearSearch}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={recordsText.search}
        aria-label={recordsText.search}
        value={typed}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={(event) => setTyped(event.target.value)}
        {...composition}
        className={styles.search ?? ''}
      />
      {isAdmitted && (
        <Segmented
          aria-label={recordsText.stateLabel}
          options={stateOptions}
          value={filters.state ?? everything}
          onChange={(value) => onChange({ state: recordStates.find((state) => state === value) })}
        />
      )}
      <Select
        {...select}
        {...placeField}
        options={places.devices}
        value={filters.router ?? null}
        placeholder={recordsText.everyDevice}
        aria-label={recordsText.deviceLabel}
        onChange={(router: number | null | undefined) => onChange({ router: router ?? undefined, mapping: undefined })}
      />
      {isAdmitted && (
        <Select
          {...select}
          loading={false}
          options={groundOptions}
          value={filters.ground ?? null}
          placeholder={recordsText.everyGround}
          aria-label={recordsText.groundLabel}
          onChange={(ground: RecordFilters['ground'] | null) => onChange({ ground: ground ?? undefined })}
        />
      )}
      <Select
        {...select}
        {...placeField}
        className={`${styles.select} ${styles.mapping}`}
        options={places.mappings}
        value={filters.mapping ?? null}
        placeholder={recordsText.everyMapping}
        aria-label={recordsText.mappingLabel}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(mapping: number | null | undefined) => onChange({ mapping: mapping ?? undefined })}
      />
    </div>
  );
}
