import { useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi, useChange } from '../../../api/index.ts';
import { securityKey } from '../use-security.ts';

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
  return useChange([securityKey, apiTokensKey], (call, body: ApiTokenFields) =>
    call('POST /api/user/api_tokens/', { body }),
  );
}

export function useRemoveApiToken() {
  return useChange([securityKey, apiTokensKey], (call, id: number) =>
    call('DELETE /api/user/api_tokens/{id}/', { params: { id } }),
  );
}
