import { SearchOutlined } from '@ant-design/icons';
import { Input, Select } from 'antd';
import type { MappingKind } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { visitsText } from '../../text/visits.ts';
import { clearable } from '../../ui/fields/field-icons.tsx';
import { useSearchDraft } from '../../ui/fields/use-search-draft.ts';
import { methodChoices, resultChoices, type VisitFilters, whoChoices } from './visit-filters.ts';
import styles from './visits.module.css';

const whoOptions = whoChoices.map((value) => ({ value, label: visitsText.who[value] }));
const resultOptions = resultChoices.map((value) => ({ value, label: visitsText.results[value] }));
/** Ports have no statuses. */
const portResults = resultOptions.filter(({ value }) => !/^\d/.test(value));
const methodOptions = methodChoices.map((value) => ({ value, label: value }));
const clearFilter = { ...clearable(), label: visitsText.clearFilter };
const clearSearch = clearable(visitsText.clearSearch);

type VisitToolbarProps = {
  filters: VisitFilters;
  kind: MappingKind;
  onChange: (change: Partial<VisitFilters>) => void;
};

export function VisitToolbar({ filters, kind, onChange }: VisitToolbarProps) {
  const { typed, setTyped, composition } = useSearchDraft(filters.search, (search) => onChange({ search }));
  const isWeb = kind === 'http' || kind === 'https';
  const select = { allowClear: clearFilter, className: styles.select ?? '', popupMatchSelectWidth: false } as const;
  return (
    <div className={styles.toolbar} role="search">
      <Input
        allowClear={clearSearch}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={visitsText.search}
        aria-label={visitsText.search}
        value={typed}
        maxLength={MAX_SEARCH_LENGTH}
        onChange={(event) => setTyped(event.target.value)}
        {...composition}
        className={styles.search ?? ''}
      />
      <Select
        {...select}
        options={whoOptions}
        value={filters.who ?? null}
        placeholder={visitsText.everyWho}
        aria-label={visitsText.whoLabel}
        onChange={(who: VisitFilters['who'] | null) => onChange({ who: who ?? undefined })}
      />
      <Select
        {...select}
        options={isWeb ? resultOptions : portResults}
        value={filters.result ?? null}
        placeholder={visitsText.everyResult}
        aria-label={visitsText.resultLabel}
        onChange={(result: VisitFilters['result'] | null) => onChange({ result: result ?? undefined })}
      />
      {isWeb && (
        <Select
          {...select}
          options={methodOptions}
          value={filters.method ?? null}
          placeholder={visitsText.everyMethod}
          aria-label={visitsText.methodLabel}
          onChange={(method: string | null | undefined) => onChange({ method: method ?? undefined })}
        />
      )}
    </div>
  );
}
