import type { VisitResult, VisitWho } from '@tongtu/contract';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { visitsText } from '../../text/visits.ts';

/** The filters of the log; undefined means any. */
export type VisitFilters = {
  who: VisitWho | undefined;
  result: VisitResult | undefined;
  method: string | undefined;
  search: string;
};

export const whoChoices = Object.keys(visitsText.who) as VisitWho[]; // an object literal has the keys of its type
export const resultChoices = Object.keys(visitsText.results) as VisitResult[]; // the same
export const methodChoices = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;

/** Reads the filters of an address. Invalid values are ignored, because people edit addresses. */
export function readFilters(query: URLSearchParams): VisitFilters {
  return {
    who: whoChoices.find((who) => who === query.get('who')),
    result: resultChoices.find((result) => result === query.get('result')),
    method: methodChoices.find((method) => method === query.get('method')),
    search: (query.get('q') ?? '').slice(0, MAX_SEARCH_LENGTH),
  };
}

/** Writes the filters to an address, without defaults. */
export function writeFilters({ search, ...filters }: VisitFilters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  if (search !== '') query.set('q', search);
  return query;
}

export function isFiltered({ who, result, method, search }: VisitFilters): boolean {
  return who !== undefined || result !== undefined || method !== undefined || search !== '';
}

/** The query of the calls. */
export function queryOf({ who, result, method, search }: VisitFilters) {
  return {
    ...(who === undefined ? {} : { who }),
    ...(result === undefined ? {} : { result }),
    ...(method === undefined ? {} : { method }),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
  };
}
