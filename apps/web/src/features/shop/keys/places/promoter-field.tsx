import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import type { Place } from '@tongtu/contract';
import { useState } from 'react';
import { useApi } from '../../../../api/index.ts';
import { placesText } from '../../../../text/shop/keys.ts';
import { clearable } from '../../../../ui/fields/field-icons.tsx';

const shownUsers = 50;

type PromoterFieldProps = {
  present: Place['promoter'];
  /** Of the form. */
  id?: string;
  value?: number | null;
  onChange?: (id: number | null) => void;
};

/** Finds a promoter by name, phone number or e-mail address. */
export function PromoterField({ present, id, value, onChange }: PromoterFieldProps) {
  const { call } = useApi();
  const [search, setSearch] = useState('');
  const users = useQuery({
    queryKey: ['manage', 'promoters', search],
    queryFn: ({ signal }) =>
      call('GET /api/manage/users/', { query: { search, limit: shownUsers, offset: 0 }, signal }),
    placeholderData: keepPreviousData,
  });
  const found = (users.data?.results ?? []).filter((user) => user.is_promoter);
  const others = present && !found.some((user) => user.id === present.id) ? [present] : [];
  return (
    <Select<number | null>
      {...(id === undefined ? {} : { id })}
      allowClear={{ ...clearable(), label: placesText.noPromoter }}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      placeholder={placesText.noPromoter}
      notFoundContent={placesText.noPromoterFound}
      value={value ?? null}
      loading={users.isFetching}
      options={[...others, ...found].map((user) => ({ value: user.id, label: user.username }))}
      onChange={(next) => onChange?.(next ?? null)}
    />
  );
}
