import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const maxRetries = 2;

function isWorthRetrying(error: Error): boolean {
  return error instanceof ApiError && (error.failure.type !== 'problem' || error.failure.status >= 500);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A console in the LAN works without the internet, so the browser's idea of "online" must not stop a call.
        networkMode: 'always',
        staleTime: 5000,
        retry: (failures, error) => failures < maxRetries && isWorthRetrying(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
