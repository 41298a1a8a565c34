import type { VerificationRecord } from '@tongtu/contract';
import { MAX_PAGE_OFFSET, MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';

export const recordStates = ['active', 'expired', 'revoked'] as const;
export type RecordState = (typeof recordStates)[number];

/** Who was let in, which is shown first, or who was not. */
export const recordViews = ['admitted', 'refused'] as const;
export type RecordView = (typeof recordViews)[number];

export const grounds = ['owner', 'member', 'password', 'share', 'mark_client', 'own_address'] as const;
type Ground = VerificationRecord['granted_by'];

export const pageSize = 20;
const maxPage = MAX_PAGE_OFFSET / pageSize;

/** The filters of the list; undefined means any. Pages count from 1. */
export type RecordFilters = {
  view: RecordView;
  state: RecordState | undefined;
  router: number | undefined;
  mapping: number | undefined;
  ground: Ground | undefined;
  search: string;
  page: number;
};

const names = {
  view: 'view',
  state: 'state',
  router: 'device',
  mapping: 'mapping',
  ground: 'by',
  search: 'q',
  page: 'page',
} as const;

function readId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

export function viewOf(text: string | null): RecordView {
  return text === 'refused' ? 'refused' : 'admitted';
}

/** Reads the filters of an address. Invalid values are ignored, because people edit addresses. */
export function readFilters(query: URLSearchParams): RecordFilters {
  const page = readId(query.get(names.page)) ?? 1;
  return {
    view: viewOf(query.get(names.view)),
    state: recordStates.find((state) => state === query.get(names.state)),
    router: readId(query.get(names.router)),
    mapping: readId(query.get(names.mapping)),
    ground: grounds.find((ground) => ground === query.get(names.ground)),
    search: (query.get(names.search) ?? '').slice(0, MAX_SEARCH_LENGTH),
    page: Math.min(page, maxPage),
  };
}

/** Writes the filters to an address, without defaults. */
export function writeFilters(filters: RecordFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [field, name] of Object.entries(names)) {
    const value = filters[field as keyof RecordFilters]; // the keys of `names` are its fields
    const isDefault = value === undefined || value === '' || (field === 'page' && value === 1) || value === 'admitted';
    if (!isDefault) query.set(name, String(value));
  }
  return query;
}

/** True when a filter may hide records. */
export function isFiltered({ page: _page, view: _view, ...filters }: RecordFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== '');
}

/** The query of the call for verifications. */
export function queryOf({ state, ground, ...filters }: RecordFilters) {
  return {
    ...refusedQueryOf(filters),
    ...(state === undefined ? {} : { state }),
    ...(ground === undefined ? {} : { granted_by: ground }),
  };
}

/** The query of the call for refused visits. */
export function refusedQueryOf({
  page,
  router,
  mapping,
  search,
}: Pick<RecordFilters, 'page' | 'router' | 'mapping' | 'search'>) {
  const trimmed = search.trim();
  return {
    limit: pageSize,
    offset: (page - 1) * pageSize,
    ...(router === undefined ? {} : { router }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(trimmed === '' ? {} : { search: trimmed }),
  };
}
