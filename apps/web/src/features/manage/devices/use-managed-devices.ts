import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestQuery } from '@tongtu/contract';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

const key = ['manage', 'devices'];

export function useManagedDevices(query: RequestQuery<'GET /api/manage/devices/'>) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => call('GET /api/manage/devices/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** The device may be one's own. */
export function useSuspendDevice(id: number) {
  return useChange([key, devicesKey], (call, isSuspended: boolean) =>
    isSuspended
      ? call('POST /api/manage/devices/{id}/suspended/', { params: { id } })
      : call('DELETE /api/manage/devices/{id}/suspended/', { params: { id } }),
  );
}
