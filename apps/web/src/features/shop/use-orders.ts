import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BulkOrderCreate, Order, OrderCreate, PaymentProviderId } from '@tongtu/contract';
import { MAX_PAGE_SIZE } from '@tongtu/contract/limits';
import { devicesKey, useApi, useChange } from '../../api/index.ts';
import { catalogueKey } from './use-catalogue.ts';

/** The first part is the topic of the live stream. */
export const ordersKey = ['orders'];
export const pageSize = 20;
/** How often an order that waits for its payment is asked for, while its tab is visible. */
const pollEveryMs = 2_000;

export function useOrders(page: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...ordersKey, 'list', page],
    queryFn: ({ signal }) =>
      call('GET /api/user/product/orders/', { query: { limit: pageSize, offset: (page - 1) * pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** One order, which is asked for again and again while it can be paid. */
export function useOrder(known: Order) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...ordersKey, 'one', known.id],
    queryFn: ({ signal }) => call('GET /api/user/product/orders/{id}/', { params: { id: known.id }, signal }),
    initialData: known,
    // Hidden tabs do not poll; they ask at once when they are shown again.
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? pollEveryMs : false),
    refetchOnWindowFocus: 'always',
    retry: false,
  });
}

/** The plans of the user that are not over, the free ones included. */
export function usePlans() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...ordersKey, 'plans'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/user/product/plans/', { query: { limit: MAX_PAGE_SIZE, offset: 0 }, signal })).results,
    refetchOnWindowFocus: true,
  });
}

/** Whatever happens, prices are fetched again: the order may have been refused because one has changed. */
export function useCreateOrder() {
  return useChange([ordersKey, devicesKey, catalogueKey], (call, body: OrderCreate) =>
    call('POST /api/user/product/orders/', { body }),
  );
}

export function useCreateBulkOrder() {
  return useChange([ordersKey, catalogueKey], (call, body: BulkOrderCreate) =>
    call('POST /api/user/product/bulkorders/', { body }),
  );
}

export function useStartPayment(id: number) {
  return useChange([ordersKey], (call, provider: PaymentProviderId) =>
    call('POST /api/user/product/orders/{id}/payment/', { params: { id }, body: { provider } }),
  );
}

export function useCancelOrder() {
  return useChange([ordersKey], (call, id: number) =>
    call('DELETE /api/user/product/orders/{id}/', { params: { id } }),
  );
}

export function useAcceptTerms() {
  return useChange([['profile']], (call, id: number) =>
    call('PATCH /api/profile/{id}/', { params: { id }, body: { accepted_terms_of_payment: true } }),
  );
}

export function useBindPlan() {
  return useChange([ordersKey, devicesKey], (call, { plan, device }: { plan: number; device: number }) =>
    call('PATCH /api/user/routers/{id}/', { params: { id: device }, body: { plan_ids_to_add: [plan] } }),
  );
}

export function useUnbindPlan() {
  return useChange([ordersKey, devicesKey], (call, { plan, device }: { plan: number; device: number }) =>
    call('PATCH /api/user/routers/{id}/', { params: { id: device }, body: { plan_ids_to_remove: [plan] } }),
  );
}
