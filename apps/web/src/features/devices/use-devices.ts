import type { DevicePatch, Mapping, MappingCreate, MappingPatch } from '@tongtu/contract';
import { useRef } from 'react';
import { type Api, devicesKey, errorCode, listAllDevices, useChange } from '../../api/index.ts';

export function useUpdateDevice() {
  return useChange([devicesKey], (call, input: { id: number; patch: DevicePatch }) =>
    call('PATCH /api/user/routers/{id}/', { params: { id: input.id }, body: input.patch }),
  );
}

export function useDeleteDevice(id: number) {
  return useChange([devicesKey], (call, _input: void) => call('DELETE /api/user/routers/{id}/', { params: { id } }));
}

/**
 * Creates a mapping of a device. `known`: those that it had before. A try whose answer was lost may have made the mapping;
 * the same try once more then finds it, so that it neither makes a second one nor complains about its name.
 */
export function useCreateMapping(known: readonly Mapping[]) {
  /** The try without an answer. A form that was changed since then asks for something else, such as another password. */
  const unanswered = useRef<string>(undefined);
  return useChange([devicesKey], async (call, body: MappingCreate) => {
    const wanted = JSON.stringify(body);
    const made = unanswered.current === wanted ? await findMade(call, body, known) : undefined;
    if (made) return made;
    try {
      return await call('POST /api/user/records/', { body });
    } catch (error) {
      if (errorCode(error) === undefined) unanswered.current = wanted;
      throw error;
    }
  });
}

async function findMade(call: Api['call'], body: MappingCreate, known: readonly Mapping[]) {
  const device = (await listAllDevices(call)).find(({ id }) => id === body.router);
  const isSame = (mapping: Mapping) =>
    mapping.kind === body.kind &&
    mapping.target === body.target &&
    mapping.policy === body.policy &&
    mapping.remark === body.remark &&
    mapping.prefix === body.prefix &&
    mapping.custom_domain === body.custom_domain &&
    (body.port === null || mapping.port === body.port);
  return device?.mappings.find((mapping) => isSame(mapping) && !known.some(({ id }) => id === mapping.id));
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
