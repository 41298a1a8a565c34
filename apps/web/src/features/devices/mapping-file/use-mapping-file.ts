import { useMutation } from '@tanstack/react-query';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

export type MappingFileInput = { yaml: string; deletesOthers: boolean };

export function useMappingExport(deviceId: number) {
  const { call } = useApi();
  return useMutation({
    mutationFn: () => call('GET /api/user/routers/{id}/mapping_file/', { params: { id: deviceId } }),
  });
}

/** What an import would change. */
export function useImportPreview(deviceId: number) {
  const { call } = useApi();
  return useMutation({
    mutationFn: ({ yaml, deletesOthers }: MappingFileInput) =>
      call('POST /api/user/routers/{id}/mapping_file/', {
        params: { id: deviceId },
        body: { yaml, dry_run: true, delete_others: deletesOthers },
      }),
  });
}

export function useImport(deviceId: number) {
  return useChange([devicesKey], (call, { yaml, deletesOthers }: MappingFileInput) =>
    call('POST /api/user/routers/{id}/mapping_file/', {
      params: { id: deviceId },
      body: { yaml, dry_run: false, delete_others: deletesOthers },
    }),
  );
}
