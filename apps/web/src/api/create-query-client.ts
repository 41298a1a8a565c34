import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const maxRetries = 2;

/** Retries a call twice when its failure may pass: a broken connection or a fault of the server. A refusal stays one. */
export function retryTransient(failures: number, error: Error): boolean {
  const isTransient = error instanceof ApiError && (error.failure.type !== 'problem' || error.failure.status >= 500);
  return failures < maxRetries && isTransient;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A console in the LAN works without the internet, so the browser's idea of "online" must not stop a call.
        networkMode: 'always',
        staleTime: 5000,
        retry: retryTransient,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
