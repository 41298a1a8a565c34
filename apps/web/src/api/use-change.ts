import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Api, useApi } from './api-context.ts';

/** A change of what is known by `keys`, each with whatever lies below it. It is done when the page shows it. */
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
