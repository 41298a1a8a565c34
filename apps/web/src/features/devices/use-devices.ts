import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device, DevicePatch, MappingCreate, MappingPatch } from '@tongtu/contract';
import { type Api, useApi } from '../../api/index.ts';

const pageSize = 500;
const maxPages = 20;
const pollEveryMs = 10_000;
export const devicesKey = ['devices'];

async function listAllDevices(call: Api['call'], signal: AbortSignal): Promise<Device[]> {
  const devices: Device[] = [];
  for (let page = 0; page < maxPages; page++) {
    const reply = await call('GET /api/user/routers/', { query: { limit: pageSize, offset: page * pageSize }, signal });
    devices.push(...reply.results);
    if (reply.next === null || reply.results.length === 0) break;
  }
  return devices;
}

/** All devices of the user. The live stream renews them at once, polling catches what the stream missed. */
export function useDevices() {
  const { call } = useApi();
  return useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => listAllDevices(call, signal),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** A change of a device or its mappings; it is done when the list shows it. */
function useDeviceMutation<Input, Output>(change: (call: Api['call'], input: Input) => Promise<Output>) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(call, input),
    onSettled: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
  });
}

export function useUpdateDevice() {
  return useDeviceMutation((call, input: { id: number; patch: DevicePatch }) =>
    call('PATCH /api/user/routers/{id}/', { params: { id: input.id }, body: input.patch }),
  );
}

export function useDeleteDevice() {
  return useDeviceMutation((call, id: number) => call('DELETE /api/user/routers/{id}/', { params: { id } }));
}

export function useCreateMapping() {
  return useDeviceMutation((call, body: MappingCreate) => call('POST /api/user/records/', { body }));
}

export function useUpdateMapping() {
  return useDeviceMutation((call, input: { id: number; patch: MappingPatch }) =>
    call('PATCH /api/user/records/{id}/', { params: { id: input.id }, body: input.patch }),
  );
}

export function useDeleteMapping() {
  return useDeviceMutation((call, id: number) => call('DELETE /api/user/records/{id}/', { params: { id } }));
}

/** Lets the network that this browser is in pass a mapping; the reply tells its address and until when. */
export function useAllowNetwork() {
  return useDeviceMutation((call, id: number) => call('POST /api/user/records/{id}/verified_ip/', { params: { id } }));
}
