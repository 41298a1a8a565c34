import { useMutation } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';
import { securityKey } from '../use-security.ts';

/** The server needs time to collect the records of years. */
const exportTimeoutMs = 120_000;

export function useExport() {
  const { call } = useApi();
  return useMutation({
    mutationFn: () => call('GET /api/user/export/', { timeoutMs: exportTimeoutMs }),
  });
}

export function useDeleteAccount() {
  return useChange([securityKey], (call) => call('POST /api/user/deletion/'));
}

export function useTakeBackDeletion() {
  return useChange([securityKey], (call) => call('DELETE /api/user/deletion/'));
}
