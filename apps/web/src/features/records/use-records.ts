import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MAX_ALLOW_LIST_ENTRIES } from '@tongtu/contract/limits';
import { devicesKey, errorCode, listAllDevices, useApi, useChange } from '../../api/index.ts';
import { queryOf, type RecordFilters, refusedQueryOf } from './record-filters.ts';

/** The first part is the topic of the live stream. */
const recordsKey = ['verifications'];
const pollEveryMs = 30_000;
const nothing = { count: 0, next: null, previous: null, results: [] };

/** One page of the records, the latest first. The previous page stays visible while another one loads. */
export function useRecords(filters: RecordFilters) {
  const { call } = useApi();
  const query = queryOf(filters);
  return useQuery({
    queryKey: [...recordsKey, 'list', query],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /api/user/verifications/', { query, signal });
      } catch (error) {
        // The server refuses a deleted mapping that never had a verification: its list is empty.
        if (errorCode(error) !== 'mapping.not-found') throw error;
        return nothing;
      }
    },
    enabled: filters.view === 'admitted',
    placeholderData: keepPreviousData,
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** One page of the visits that were refused, the latest first. */
export function useRefusedVisits(filters: RecordFilters) {
  const { call } = useApi();
  const query = refusedQueryOf(filters);
  return useQuery({
    queryKey: [...recordsKey, 'refused', query],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /api/user/verifications/refused/', { query, signal });
      } catch (error) {
        if (errorCode(error) !== 'mapping.not-found') throw error;
        return nothing;
      }
    },
    enabled: filters.view === 'refused',
    placeholderData: keepPreviousData,
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** The deleted devices and mappings that have records. */
export function useDeletedMappings() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...recordsKey, 'deleted'],
    queryFn: ({ signal }) => call('GET /api/user/verifications/deleted/', { signal }),
  });
}

/** Extends a verification to at least so many hours from now; never shortens it. */
export function useExtendRecord() {
  return useChange([recordsKey], (call, { id, hours }: { id: number; hours: number }) =>
    call('PATCH /api/user/verifications/{id}/', { params: { id }, body: { extend_hours: hours } }),
  );
}

/** Ends a verification at once. */
export function useRevokeRecord() {
  return useChange([recordsKey], (call, id: number) =>
    call('DELETE /api/user/verifications/{id}/', { params: { id } }),
  );
}

/**
 * Adds an address to a device's allow-list. False when the list is full. The call replaces the whole list, so this
 * reads it first and keeps entries that were added meanwhile.
 */
export function useAllowAddress() {
  return useChange([devicesKey], async (call, { id, ip }: { id: number; ip: string }) => {
    const allowList = (await listAllDevices(call)).find((device) => device.id === id)?.allow_list ?? [];
    if (allowList.includes(ip)) return true;
    if (allowList.length >= MAX_ALLOW_LIST_ENTRIES) return false;
    await call('PATCH /api/user/routers/{id}/', { params: { id }, body: { allow_list: [...allowList, ip] } });
    return true;
  });
}
