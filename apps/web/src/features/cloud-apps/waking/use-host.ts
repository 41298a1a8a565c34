import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CloudApp, WakeTime } from '@tongtu/contract';
import { useState } from 'react';
import { devicesKey, useApi } from '../../../api/index.ts';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { hostPhase } from './host-phase.ts';

const askEveryMs = { waking: 2_000, off: 5_000, on: 15_000 } as const;
const secondMs = 1_000;

/** The key of the list of apps on the devices page. */
const appsKey = [...devicesKey, 'cloud-apps'];
const wakesKey = (appId: number) => ['cloud-app-wakes', appId];

/** The app whose host is woken; null when the user may not see it. */
export function useWokenApp(appId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: appsKey,
    queryFn: ({ signal }) => call('GET /api/user/cloud_apps/', { query: { format: 'json' }, signal }),
    select: (apps) => apps.find(({ id }) => id === appId) ?? null,
  });
}

/** Whether the host is on, asked again and again, and how to wake it. `isWanted`: somebody waits for it to be on. */
export function useHost(app: CloudApp, { isWanted }: { isWanted: boolean }) {
  const { id } = app;
  const { call } = useApi();
  const queryClient = useQueryClient();
  const [wokenAtMs, setWokenAtMs] = useState<number>();
  const wallClockMs = useWallClock(secondMs);
  const query = useQuery({
    queryKey: ['host-state', id],
    queryFn: ({ signal }) => call('GET /api/user/cloud_apps/{id}/state/', { params: { id }, signal }),
    refetchInterval({ state: { data } }) {
      if (data?.state === 'on' && (data.is_ready || !isWanted)) return askEveryMs.on;
      const isWaking = isWanted || wokenAtMs !== undefined || typeof data?.woken_at === 'string';
      return isWaking ? askEveryMs.waking : askEveryMs.off;
    },
    // A tab in the background opens the app, too.
    refetchIntervalInBackground: isWanted,
    retry: false,
    gcTime: 0,
  });
  const wake = useMutation({
    mutationFn: () => call('POST /api/user/cloud_apps/{id}/wake/', { params: { id } }),
    onSuccess: () => setWokenAtMs(Date.now()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: wakesKey(id) }),
  });
  const phase = hostPhase({
    state: query.data,
    hasFailed: query.error !== null,
    needsService: app.kind !== 'wol',
    wokenAtMs,
    wallClockMs,
  });
  return { query, wake, phase };
}

export function useWakes(appId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: wakesKey(appId),
    queryFn: ({ signal }) => call('GET /api/user/cloud_apps/{id}/wakes/', { params: { id: appId }, signal }),
    refetchInterval: 30_000,
    gcTime: 0,
  });
}

/** Adds or removes times. The call replaces all of them, so this begins with those that the app has by then. */
export function useChangeWakeTimes(appId: number) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    // One after another: two times that are removed at once would each bring the other one back.
    scope: { id: `wake-times-${appId}` },
    mutationFn: async (change: (times: readonly WakeTime[]) => WakeTime[]) => {
      const apps = await call('GET /api/user/cloud_apps/', { query: { format: 'json' } });
      const times = apps.find(({ id }) => id === appId)?.wake_times ?? [];
      const body = { wake_times: change(times) };
      return await call('PATCH /api/user/cloud_apps/{id}/', { params: { id: appId }, query: { format: 'json' }, body });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: appsKey }),
  });
}
