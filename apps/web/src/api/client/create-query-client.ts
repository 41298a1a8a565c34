import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const maxRetries = 2;

/** Retries a call twice after a network failure or a fault of the server, but never after a refusal. */
export function retryTransient(failures: number, error: Error): boolean {
  const isTransient = error instanceof ApiError && (error.failure.type !== 'problem' || error.failure.status >= 500);
  return failures < maxRetries && isTransient;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A console in the LAN works without internet access, so a browser that reports "offline" must not stop calls.
        networkMode: 'always',
        staleTime: 5000,
        retry: retryTransient,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
