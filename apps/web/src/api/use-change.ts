import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Api, useApi } from './api-context.ts';

/** A mutation that invalidates all queries below `keys`. It resolves after they have been refetched. */
export function useChange<Input, Output>(
  keys: readonly QueryKey[],
  change: (call: Api['call'], input: Input) => Promise<Output>,
) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(call, input),
    onSettled: async () => {
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
}
