import { useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi } from '../../../api/index.ts';
import { useConfirmed } from '../../confirm/use-confirmed.tsx';
import { useAccountMutation } from '../use-security.ts';

const apiTokensKey = ['api-tokens'];

export type ApiTokenFields = RequestBody<'POST /api/user/api_tokens/'>;

export function useApiTokens() {
  const { call } = useApi();
  return useQuery({
    queryKey: apiTokensKey,
    queryFn: ({ signal }) => call('GET /api/user/api_tokens/', { signal }),
    refetchOnWindowFocus: true,
  });
}

export function useCreateApiToken() {
  const confirmed = useConfirmed();
  return useAccountMutation(
    (call, body: ApiTokenFields) => confirmed(() => call('POST /api/user/api_tokens/', { body })),
    apiTokensKey,
  );
}

export function useRemoveApiToken() {
  return useAccountMutation(
    (call, id: number) => call('DELETE /api/user/api_tokens/{id}/', { params: { id } }),
    apiTokensKey,
  );
}
