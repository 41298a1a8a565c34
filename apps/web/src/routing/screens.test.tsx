import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePrefetchedScreens } from './screens.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('deleted files of an old version are asked for once, not again after each poll', async () => {
  vi.useFakeTimers();
  const queryClient = new QueryClient();
  const load = vi.fn<() => Promise<unknown>>(() =>
    Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  );
  const loads = [load];
  const Screen = () => {
    usePrefetchedScreens(loads);
    return null;
  };
  render(
    <QueryClientProvider client={queryClient}>
      <Screen />
    </QueryClientProvider>,
  );
  const poll = () => new Promise((resolve) => setTimeout(resolve, 500, 'list'));
  for (let polls = 0; polls < 3; polls++) {
    void queryClient.prefetchQuery({ queryKey: ['devices', polls], queryFn: poll });
    // Each step is drawn.
    for (const ms of [100, 500, 4_000]) await act(() => vi.advanceTimersByTimeAsync(ms));
  }
  expect(load).toHaveBeenCalledOnce();
});
