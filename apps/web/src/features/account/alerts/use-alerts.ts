import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AlertDelivery, RequestBody } from '@tongtu/contract';
import { alertSettingsQuery, alertsKey, useApi, useChange } from '../../../api/index.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';

const pollEveryMs = 15_000;
/** Longer than the 30 s that the server itself waits for a mail server. */
const testTimeoutMs = 40_000;
const deliveriesAtOnce = 20;

export type NewChannel = RequestBody<'POST /api/user/alerts/channels/'>;
export type ChannelChange = RequestBody<'PATCH /api/user/alerts/channels/{id}/'>;
type OfflineAfterMinutes = RequestBody<'PATCH /api/user/alerts/'>['offline_after_minutes'];

/** Polled, because a message may be sent or fail at any time. */
export function useAlertSettings() {
  return useQuery({
    ...alertSettingsQuery(useApi()),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

export function useSetOfflineAfter() {
  return useChange([alertsKey], (call, minutes: OfflineAfterMinutes) =>
    call('PATCH /api/user/alerts/', { body: { offline_after_minutes: minutes } }),
  );
}

export function useAddChannel() {
  return useChange([alertsKey], (call, body: NewChannel) => call('POST /api/user/alerts/channels/', { body }));
}

export function useUpdateChannel() {
  return useChange([alertsKey], (call, { id, patch }: { id: number; patch: ChannelChange }) =>
    call('PATCH /api/user/alerts/channels/{id}/', { params: { id }, body: patch }),
  );
}

export function useRemoveChannel() {
  return useChange([alertsKey], (call, id: number) =>
    call('DELETE /api/user/alerts/channels/{id}/', { params: { id } }),
  );
}

/** Sends one test message at a time. The reply says whether it arrived. */
export function useTestChannel() {
  const test = useChange([alertsKey], (call, id: number) =>
    call('POST /api/user/alerts/channels/{id}/test/', { params: { id }, timeoutMs: testTimeoutMs }),
  );
  return { ...test, send: useSubmit({ send: test.mutateAsync }) };
}

/** The deliveries, the latest first, with more pages on request. */
export function useDeliveries() {
  const { call } = useApi();
  return useInfiniteQuery({
    queryKey: [...alertsKey, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user/alerts/deliveries/', { query: { limit: deliveriesAtOnce, offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next, results }, _pages, offset) =>
      next === null || results.length === 0 ? undefined : offset + results.length,
    select: ({ pages }) => withoutRepeats(pages.flatMap(({ results }) => results)),
    gcTime: 0,
    refetchInterval: pollEveryMs,
  });
}

/** A new delivery between two requests shifts the pages, so that some deliveries arrive twice. */
function withoutRepeats(deliveries: readonly AlertDelivery[]): AlertDelivery[] {
  return [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
}
