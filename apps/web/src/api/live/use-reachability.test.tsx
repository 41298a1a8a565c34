import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, test } from 'vitest';
import { type Api, ApiProvider } from '../api-context.ts';
import { ApiError, type Failure } from '../client/api-error.ts';
import { useReachability } from './use-reachability.ts';

afterEach(cleanup);

function Seen() {
  const { reachability, isLoggedIn } = useReachability(true);
  return <p>{reachability === 'unknown' ? '' : `${reachability} ${String(isLoggedIn)}`}</p>;
}

function show(answer: () => Promise<unknown>): void {
  const api = { call: answer } as unknown as Api; // the only call that the hook makes
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={api}>
        <Seen />
      </ApiProvider>
    </QueryClientProvider>,
  );
}

const refusal = (code: string): Failure => {
  const more = { detail: '', fields: {}, requestId: '', retryAfterSeconds: 30 };
  return { type: 'problem', status: 429, code, ...more };
};

test('a server that answers is reached, and its answer says whether somebody is logged in', async () => {
  show(async () => ({ logged_in: false, id: 0 }));
  await screen.findByText('reached false');
});

test('a server that answers with a rate limit is reached, but the login state stays unknown', async () => {
  show(() => Promise.reject(new ApiError(refusal('request.too-many'))));
  await screen.findByText('reached undefined');
});

test('a server that fails or does not answer is unreachable', async () => {
  show(() => Promise.reject(new ApiError(refusal('server.unavailable'))));
  await screen.findByText('unreachable undefined');
  cleanup();
  show(() => Promise.reject(new ApiError({ type: 'network' })));
  await screen.findByText('unreachable undefined');
});
