import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Api, useApi } from '../../api/index.ts';

const securityKey = ['security'];

/** How the account is secured, and whether it is about to be deleted. */
export function useSecurity() {
  const { call } = useApi();
  return useQuery({
    queryKey: securityKey,
    queryFn: ({ signal }) => call('GET /api/user/security/', { signal }),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}

/** A change of the account. It is done when the page shows it; `also` are further lists that it changes. */
export function useAccountMutation<Input, Output>(
  change: (call: Api['call'], input: Input) => Promise<Output>,
  also: readonly string[] = [],
) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(call, input),
    onSettled: async () => {
      const keys = [...securityKey, ...also];
      await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    },
  });
}
