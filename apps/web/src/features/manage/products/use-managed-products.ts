import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ManagedProduct, Reply, RequestBody } from '@tongtu/contract';
import { MAX_PAGE_SIZE } from '@tongtu/contract/limits';
import { changedFields, useApi, useChange } from '../../../api/index.ts';

const productsKey = ['manage', 'products'];
/** What is sold changes with it. */
const changed = [productsKey, ['products']];
export type ManagedBulk = Reply<'GET /api/manage/bulk_products/'>['results'][number];
type Range = { limit: number; offset: number };

export function useManagedProducts(range: Range) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...productsKey, 'single', range],
    queryFn: ({ signal }) => call('GET /api/manage/products/', { query: range, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function useManagedBulkProducts(range: Range) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...productsKey, 'bulk', range],
    queryFn: ({ signal }) => call('GET /api/manage/bulk_products/', { query: range, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** To choose from. */
export function useAllProducts() {
  return useManagedProducts({ limit: MAX_PAGE_SIZE, offset: 0 });
}

type ProductFields = RequestBody<'POST /api/manage/products/'>;

/** Changes this product; undefined: a new one. */
export function useSaveProduct(product: ManagedProduct | undefined) {
  return useChange(changed, (call, body: ProductFields) =>
    product === undefined
      ? call('POST /api/manage/products/', { body })
      : call('PATCH /api/manage/products/{id}/', {
          params: { id: product.id },
          body: changedFields(body, product),
        }),
  );
}

export function useListProduct(id: number) {
  return useChange(changed, (call, listed: boolean) =>
    call('PATCH /api/manage/products/{id}/', { params: { id }, body: { listed } }),
  );
}

export function useSaveBulkProduct(id: number | undefined) {
  return useChange(changed, (call, body: RequestBody<'POST /api/manage/bulk_products/'>) =>
    id === undefined
      ? call('POST /api/manage/bulk_products/', { body })
      : call('PATCH /api/manage/bulk_products/{id}/', { params: { id }, body: { tiers: body.tiers } }),
  );
}

export function useListBulkProduct(id: number) {
  return useChange(changed, (call, listed: boolean) =>
    call('PATCH /api/manage/bulk_products/{id}/', { params: { id }, body: { listed } }),
  );
}
