import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Select, Tag } from 'antd';
import type { ProductKeyStatus } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { keyStatusWords, keysText } from '../../../../text/shop/keys.ts';
import { clearable } from '../../../../ui/fields/field-icons.tsx';
import { useSearchDraft } from '../../../../ui/fields/use-search-draft.ts';
import keyStyles from '../keys.module.css';
import { usePlaces } from '../use-keys.ts';
import { type KeyFilters, keyStatuses } from './key-filters.ts';

/** Stand for no filter, which a select cannot have as value. */
const everyPlace = 0;
const everyStatus = 'all';

type KeyToolbarProps = { filters: KeyFilters; onChange: (changes: Partial<KeyFilters>) => void };

export function KeyToolbar({ filters, onChange }: KeyToolbarProps) {
  const places = usePlaces();
  const { typed, setTyped, composition } = useSearchDraft(filters.search, (search) => onChange({ search }));
  return (
    <div className={keyStyles.toolbar} role="search">
      <Input
        allowClear={clearable(keysText.clearSearch)}
        prefix={<SearchOutlined aria-hidden />}
        placeholder={keysText.search}
        aria-label={keysText.search}
        value={typed}
        maxLength={MAX_SEARCH_LENGTH}
        className={keyStyles.search ?? ''}
        onChange={(event) => setTyped(event.target.value)}
        {...composition}
      />
      <Select<number>
        aria-label={keysText.place}
        value={filters.place ?? everyPlace}
        loading={places.isPending}
        className={keyStyles.select ?? ''}
        options={[
          { value: everyPlace, label: keysText.everyPlace },
          ...(places.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(place) => onChange({ place: place === everyPlace ? undefined : place })}
      />
      <Select<ProductKeyStatus | typeof everyStatus>
        aria-label={keysText.status}
        value={filters.status ?? everyStatus}
        className={keyStyles.select ?? ''}
        options={[
          { value: everyStatus, label: keysText.everyStatus },
          ...keyStatuses.map((value) => ({ value, label: keyStatusWords[value] })),
        ]}
        onChange={(status) => onChange({ status: status === everyStatus ? undefined : status })}
      />
      {filters.batch !== undefined && (
        <>
          <Tag className={keyStyles.batchTag ?? ''}>{keysText.batchOf(filters.batch)}</Tag>
          <Button
            type="link"
            size="small"
            onClick={() => onChange({ batch: undefined, place: undefined, status: undefined, search: '' })}
          >
            {keysText.clearFilters}
          </Button>
        </>
      )}
    </div>
  );
}
