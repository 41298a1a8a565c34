import { useQuery } from '@tanstack/react-query';
import type { Device } from '@tongtu/contract';
import { MAX_PAGE_SIZE } from '@tongtu/contract/limits';
import { visibleName } from '../text/devices/names.ts';
import { type Api, useApi } from './api-context.ts';

const maxPages = 20;
const pollEveryMs = 10_000;

/** Every query about devices has a key below this one. A live event about devices refetches them all. */
export const devicesKey = ['devices'];

/** Fetches all devices of the user and gives each a visible name. Throws ApiError. */
export async function listAllDevices(call: Api['call'], signal?: AbortSignal): Promise<Device[]> {
  const devices: Device[] = [];
  for (let page = 0; page < maxPages; page++) {
    const reply = await call('GET /api/user/routers/', {
      query: { limit: MAX_PAGE_SIZE, offset: page * MAX_PAGE_SIZE },
      ...(signal && { signal }),
    });
    devices.push(...reply.results.map((device) => ({ ...device, name: visibleName(device.name, device.uid) })));
    if (reply.next === null || reply.results.length === 0) break;
  }
  return devices;
}

/** All devices of the user. Live events refetch them at once; polling covers events that were missed. */
export function useDevices() {
  const { call } = useApi();
  return useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => listAllDevices(call, signal),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}
