import { useQuery } from '@tanstack/react-query';
import type { Device } from '@tongtu/contract';
import { useApi } from '../../../api/index.ts';
import { devicesKey } from '../../../api/devices.ts';

/** The device is given ten seconds. */
const timeoutMs = 15_000;

/** What the server has recorded, the newest first. */
export function useConnections(deviceId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...devicesKey, 'connections', deviceId],
    queryFn: ({ signal }) => call('GET /api/user/routers/{id}/connections/', { params: { id: deviceId }, signal }),
  });
}

export function canDiagnose(device: Device): boolean {
  return device.online && device.program === 'agent';
}

/** What the device finds out about its own connection: once, and again on demand. */
export function useDiagnosis(device: Device) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['diagnosis', device.id],
    queryFn: ({ signal }) =>
      call('POST /api/user/routers/{id}/diagnosis/', { params: { id: device.id }, signal, timeoutMs }),
    enabled: canDiagnose(device),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
