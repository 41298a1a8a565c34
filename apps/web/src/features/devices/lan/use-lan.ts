import { useQuery } from '@tanstack/react-query';
import type { Lan } from '@tongtu/contract';
import { useApi, useChange } from '../../../api/index.ts';

const lanKey = (deviceId: number) => ['lan', deviceId];
const pollEveryMs = 1000;

export function isScanning(lan: Lan | undefined): boolean {
  return lan?.scan?.ended_at === null;
}

/** What scans have seen. While one runs, its findings and its progress arrive every second. */
export function useLan(deviceId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: lanKey(deviceId),
    queryFn: ({ signal }) => call('GET /api/user/routers/{id}/lan/', { params: { id: deviceId }, signal }),
    refetchInterval: ({ state }) => (isScanning(state.data) ? pollEveryMs : false),
    refetchOnWindowFocus: 'always',
  });
}

export function useStartScan(deviceId: number) {
  return useChange([lanKey(deviceId)], (call) =>
    call('POST /api/user/routers/{id}/lan/scan/', { params: { id: deviceId } }),
  );
}

export function useSwitchDiscovery(deviceId: number) {
  return useChange([lanKey(deviceId)], (call, enabled: boolean) =>
    call('PATCH /api/user/routers/{id}/lan/', { params: { id: deviceId }, body: { enabled } }),
  );
}
