import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { KeysCreate, Place, RequestBody, RequestQuery } from '@tongtu/contract';
import { MAX_PAGE_SIZE } from '@tongtu/contract/limits';
import { changedFields, devicesKey, useApi, useChange } from '../../../api/index.ts';
import { useCaptcha } from '../../captcha/use-captcha.tsx';
import { ordersKey } from '../use-orders.ts';

/** Below the orders: a redeemed or delivered key comes with an order, so live events refetch both. */
const keysKey = [...ordersKey, 'keys'];
export const pageSize = 50;
/** A file of a hundred thousand keys takes a while. */
const exportTimeoutMs = 120_000;

export function useOwnKeys(page: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...keysKey, 'own', page],
    queryFn: ({ signal }) =>
      call('GET /api/user/product-keys-for-user/', {
        query: { limit: pageSize, offset: (page - 1) * pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

type Redemption = { key: string; router: number | undefined };

/** Redeems a key, with a captcha after wrong tries. Undefined when the user closed the captcha. */
export function useRedeem() {
  const captcha = useCaptcha('redeem');
  return useChange([ordersKey, devicesKey, ['profile']], (call, { key, router }: Redemption) =>
    captcha.sendSolved(
      (solved) =>
        call('POST /api/user/product-keys-for-user/', {
          body: { key, ...(router !== undefined && { router }), ...solved },
        }),
      undefined,
    ),
  );
}

export type KeyQuery = RequestQuery<'GET /api/user/product-keys-for-place/'>;

export function usePlaceKeys(query: KeyQuery) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...keysKey, 'place', query],
    queryFn: ({ signal }) => call('GET /api/user/product-keys-for-place/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function usePlaces() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...keysKey, 'places'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/user/product-key-places/', { query: { limit: MAX_PAGE_SIZE, offset: 0 }, signal })).results,
    refetchOnWindowFocus: true,
  });
}

export function useMakeKeys() {
  return useChange([keysKey], (call, body: KeysCreate) => call('POST /api/manage/product-keys/', { body }));
}

export function useMarkKeys() {
  return useChange([keysKey], (call, body: RequestBody<'POST /api/mark_product_keys_as_status/'>) =>
    call('POST /api/mark_product_keys_as_status/', { body }),
  );
}

export function useExportKeys() {
  return useChange([], (call, query: RequestQuery<'GET /api/user/product-keys-for-place/export/'>) =>
    call('GET /api/user/product-keys-for-place/export/', { query, timeoutMs: exportTimeoutMs }),
  );
}

type PlaceFields = { name: string; note: string; promoter: number | null };

/** Makes a place, or changes this one. */
export function useSavePlace(place: Place | undefined) {
  return useChange([keysKey], (call, body: PlaceFields) => {
    if (place === undefined) return call('POST /api/manage/places/', { body });
    const { id, name, note, promoter } = place;
    const changed = changedFields(body, { name, note, promoter: promoter?.id ?? null });
    return call('PATCH /api/manage/places/{id}/', { params: { id }, body: changed });
  });
}

export function useDeletePlace() {
  return useChange([keysKey], (call, id: number) => call('DELETE /api/manage/places/{id}/', { params: { id } }));
}
