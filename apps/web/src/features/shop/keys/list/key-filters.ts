import type { ProductKeyStatus } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { type KeyQuery, pageSize } from '../use-keys.ts';

export const keyStatuses: readonly ProductKeyStatus[] = ['unused', 'issued', 'redeemed', 'void', 'expired'];

/** The filters of the list; undefined means any. Pages count from 1. */
export type KeyFilters = {
  place: number | undefined;
  batch: number | undefined;
  status: ProductKeyStatus | undefined;
  search: string;
  page: number;
};

function readId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Reads the filters of an address. Invalid values are ignored, because people edit addresses. */
export function readFilters(query: URLSearchParams): KeyFilters {
  return {
    place: readId(query.get('place')),
    batch: readId(query.get('batch')),
    status: keyStatuses.find((status) => status === query.get('status')),
    search: (query.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH),
    page: Math.min(readId(query.get('page')) ?? 1, 1_000),
  };
}

/** Writes the filters to an address, without defaults. */
export function writeFilters({ place, batch, status, search, page }: KeyFilters): URLSearchParams {
  const query = new URLSearchParams({ view: 'keys' });
  if (place !== undefined) query.set('place', String(place));
  if (batch !== undefined) query.set('batch', String(batch));
  if (status !== undefined) query.set('status', status);
  if (search !== '') query.set('q', search);
  if (page !== 1) query.set('page', String(page));
  return query;
}

/** What list and export have in common. */
export function filterQuery({ place, batch, status, search }: KeyFilters) {
  return {
    ...(place !== undefined && { place: String(place) }),
    ...(batch !== undefined && { batch: String(batch) }),
    ...(status !== undefined && { status }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}

export function listQuery(filters: KeyFilters): KeyQuery {
  return { ...filterQuery(filters), limit: pageSize, offset: (filters.page - 1) * pageSize };
}
