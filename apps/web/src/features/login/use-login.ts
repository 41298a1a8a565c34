import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginRequest } from '@tongtu/contract';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';

/** Logs in and has the new user's profile ready, so that the guards know at once. */
export function useLogin() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: LoginRequest) => {
      await api.call('POST /custom/login/', { body });
      forgetUser(queryClient);
      await queryClient.fetchQuery(profileQuery(api));
    },
  });
}
