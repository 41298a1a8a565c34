import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { type Api, ApiError, ApiProvider } from '../api/index.ts';
import { ScreenError } from './route-error.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A screen that fails like this. */
function open(failure: unknown, answer: () => Promise<unknown>) {
  vi.spyOn(console, 'error').mockReturnValue(); // the router reports it, too
  const reloadIfServed = vi.fn<() => Promise<boolean>>(async () => true);
  vi.stubGlobal('tongtu', { reloadIfServed });
  const api = { call: answer } as unknown as Api; // the only call that is made
  const lazy = () => Promise.reject<{ Component: () => null }>(failure);
  const router = createMemoryRouter([{ path: '/', ErrorBoundary: ScreenError, lazy, HydrateFallback: () => null }]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={api}>
        <RouterProvider router={router} />
      </ApiProvider>
    </QueryClientProvider>,
  );
  return reloadIfServed;
}

const missing = new TypeError('Failed to fetch dynamically imported module');
const reached = async () => ({ logged_in: true, id: 1 });

test('an old page whose files were deleted is reloaded; it says so where that does not help', async () => {
  const reload = open(missing, reached);
  await screen.findByRole('button', { name: '刷新页面' });
  await expect.poll(() => reload).toHaveBeenCalled();
});

test('without a server it waits, and neither a refusal nor a screen that cannot be drawn is a reason to reload', async () => {
  const away = open(missing, () => Promise.reject(new ApiError({ type: 'network' })));
  await screen.findByText('连不上服务器');
  expect(away).not.toHaveBeenCalled();
  cleanup();
  const refused = open(new ApiError({ type: 'unreadable', status: 500 }), reached);
  await screen.findByText(/服务器返回了无法识别的内容/);
  expect(refused).not.toHaveBeenCalled();
  cleanup();
  const broken = open(new TypeError('undefined is not a function'), reached);
  await screen.findByText('页面出错了，请刷新后重试');
  expect(broken).not.toHaveBeenCalled();
});
