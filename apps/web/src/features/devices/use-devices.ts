import type { DevicePatch, MappingCreate, MappingPatch } from '@tongtu/contract';
import { devicesKey, useChange } from '../../api/index.ts';

export function useUpdateDevice() {
  return useChange([devicesKey], (call, input: { id: number; patch: DevicePatch }) =>
    call('PATCH /api/user/routers/{id}/', { params: { id: input.id }, body: input.patch }),
  );
}

export function useDeleteDevice(id: number) {
  return useChange([devicesKey], (call, _input: void) => call('DELETE /api/user/routers/{id}/', { params: { id } }));
}

export function useCreateMapping() {
  return useChange([devicesKey], (call, body: MappingCreate) => call('POST /api/user/records/', { body }));
}

export function useUpdateMapping() {
  return useChange([devicesKey], (call, input: { id: number; patch: MappingPatch }) =>
    call('PATCH /api/user/records/{id}/', { params: { id: input.id }, body: input.patch }),
  );
}

/** Checks at once whether the mapping's custom domain leads here. */
export function useCheckDomain() {
  return useChange([devicesKey], (call, id: number) =>
    call('POST /api/user/records/{id}/check_domain/', { params: { id } }),
  );
}

export function useDeleteMapping() {
  return useChange([devicesKey], (call, id: number) => call('DELETE /api/user/records/{id}/', { params: { id } }));
}
