import { useQuery } from '@tanstack/react-query';
import { MAX_PAGE_SIZE } from '@tongtu/contract/limits';
import { useApi } from '../../api/index.ts';

export const catalogueKey = ['products'];
/** The catalogue is what people read; it has no more than one page. */
const wholeList = { limit: MAX_PAGE_SIZE, offset: 0 };

/** What is for sale. */
export function useProducts() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...catalogueKey, 'single'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/user/product/products/', { query: wholeList, signal })).results,
    refetchOnWindowFocus: true,
  });
}

/** What management users buy as keys. */
export function useBulkProducts() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...catalogueKey, 'bulk'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/user/product/bulkproducts/', { query: wholeList, signal })).results,
    refetchOnWindowFocus: true,
  });
}
