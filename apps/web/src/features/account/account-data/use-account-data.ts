import { useMutation } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';
import { useConfirmed } from '../../confirm/use-confirmed.tsx';
import { securityKey } from '../use-security.ts';

/** An account of years with all its records takes a while to gather. */
const exportTimeoutMs = 120_000;

export function useExport() {
  const { call } = useApi();
  const confirmed = useConfirmed();
  return useMutation({
    mutationFn: () => confirmed(() => call('GET /api/user/export/', { timeoutMs: exportTimeoutMs })),
  });
}

export function useDeleteAccount() {
  const confirmed = useConfirmed();
  return useChange([securityKey], (call) => confirmed(() => call('POST /api/user/deletion/')));
}

export function useTakeBackDeletion() {
  return useChange([securityKey], (call) => call('DELETE /api/user/deletion/'));
}
