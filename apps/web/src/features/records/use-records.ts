import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Api, devicesKey, listAllDevices, useApi } from '../../api/index.ts';
import { queryOf, type RecordFilters } from './record-filters.ts';

/** The first part is the topic of the live stream. */
const recordsKey = ['verifications'];
const pollEveryMs = 30_000;

/** One page of the records, the latest first; while another one is fetched, the one before stays. */
export function useRecords(filters: RecordFilters) {
  const { call } = useApi();
  const query = queryOf(filters);
  return useQuery({
    queryKey: [...recordsKey, 'list', query],
    queryFn: ({ signal }) => call('GET /api/user/verifications/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** A change of a record; it is done when the list shows it. */
function useRecordMutation<Input, Output>(
  key: readonly string[],
  change: (call: Api['call'], input: Input) => Promise<Output>,
) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(call, input),
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

/** Makes a verification last so many hours from now; never less than it would have. */
export function useExtendRecord() {
  return useRecordMutation(recordsKey, (call, { id, hours }: { id: number; hours: number }) =>
    call('PATCH /api/user/verifications/{id}/', { params: { id }, body: { extend_hours: hours } }),
  );
}

/** Ends a verification at once. */
export function useRevokeRecord() {
  return useRecordMutation(recordsKey, (call, id: number) =>
    call('DELETE /api/user/verifications/{id}/', { params: { id } }),
  );
}

/** The contract's limit. */
export const maxAllowListEntries = 8;

/**
 * Lets an address pass every mapping of a device unasked; false when the list is full. The list is sent as a whole, so
 * it is read just before: what somebody has added to it meanwhile stays.
 */
export function useAllowAddress() {
  return useRecordMutation(devicesKey, async (call, { id, ip }: { id: number; ip: string }) => {
    const allowList = (await listAllDevices(call)).find((device) => device.id === id)?.allow_list ?? [];
    if (allowList.includes(ip)) return true;
    if (allowList.length >= maxAllowListEntries) return false;
    await call('PATCH /api/user/routers/{id}/', { params: { id }, body: { allow_list: [...allowList, ip] } });
    return true;
  });
}
