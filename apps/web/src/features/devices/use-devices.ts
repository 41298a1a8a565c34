import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DevicePatch, MappingCreate, MappingPatch } from '@tongtu/contract';
import { type Api, devicesKey, useApi } from '../../api/index.ts';

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
