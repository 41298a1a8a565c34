import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestBody, RequestQuery } from '@tongtu/contract';
import { useApi, useChange } from '../../../api/index.ts';

const key = ['manage', 'orders'];

export function useManagedOrders(query: RequestQuery<'GET /api/manage/orders/'>) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => call('GET /api/manage/orders/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function useRefund(id: number) {
  return useChange([key, ['manage', 'audit']], (call, body: RequestBody<'POST /api/manage/orders/{id}/refund/'>) =>
    call('POST /api/manage/orders/{id}/refund/', { params: { id }, body }),
  );
}
