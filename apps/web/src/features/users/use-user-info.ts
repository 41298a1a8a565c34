import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PasswordChange } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';

export function useRenameUser(userId: number) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => call('PATCH /api/profile/{id}/', { params: { id: userId }, body: { username } }),
    onSuccess: (profile) => queryClient.setQueryData(['profile'], profile),
  });
}

export function useChangePassword() {
  const { call } = useApi();
  return useMutation({ mutationFn: (body: PasswordChange) => call('POST /custom/password/', { body }) });
}
