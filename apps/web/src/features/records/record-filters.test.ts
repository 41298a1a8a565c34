import { VerificationQuery } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { isFiltered, queryOf, readFilters, type RecordFilters, writeFilters } from './record-filters.ts';

const nothing: RecordFilters = {
  view: 'admitted',
  state: undefined,
  router: undefined,
  mapping: undefined,
  ground: undefined,
  search: '',
  page: 1,
};
const everything: RecordFilters = {
  view: 'refused',
  state: 'revoked',
  router: 7,
  mapping: 3,
  ground: 'mark_client',
  search: '203.0 张三&',
  page: 4,
};

test.each([nothing, everything])('filters survive the round trip through the address: %j', (filters) => {
  const address = writeFilters(filters).toString();
  expect(readFilters(new URLSearchParams(address))).toEqual(filters);
});

test('an address without filters stays short', () => {
  expect(writeFilters(nothing).toString()).toBe('');
});

test.each(['state=all', 'device=-1', 'device=1e3', 'mapping=99999999999', 'by=friend', 'page=0', 'page=x', 'state='])(
  'an address with %s has no filter',
  (address) => {
    expect(readFilters(new URLSearchParams(address))).toEqual(nothing);
  },
);

test.each([nothing, everything, readFilters(new URLSearchParams(`page=999999999&q=${'长'.repeat(500)}`))])(
  'the contract accepts the request: %j',
  (filters) => {
    const query = queryOf(filters);
    expect(VerificationQuery.parse(query)).toEqual(query);
  },
);

test('a page number is not a filter; a text or a state is', () => {
  expect(isFiltered({ ...nothing, page: 3 })).toBe(false);
  expect(isFiltered({ ...nothing, search: 'a' })).toBe(true);
  expect(isFiltered({ ...nothing, state: 'active' })).toBe(true);
});
