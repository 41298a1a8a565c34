import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailureBoundary } from './failure-boundary.tsx';
import { NotLoaded } from './not-loaded.tsx';

const failure = new TypeError('Failed to fetch dynamically imported module: /assets/part.js');
const reloadIfServed = vi.fn<() => Promise<boolean>>();

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(); // React reports it, too
  vi.stubGlobal('tongtu', { reloadIfServed: reloadIfServed.mockReset() });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('where a part of a screen does not arrive, the page is reloaded, and says so where that does not help', async () => {
  const Part = lazy(() => Promise.reject<{ default: () => null }>(failure));
  reloadIfServed.mockResolvedValue(true);
  const report = vi.fn<(error: unknown) => void>();
  render(
    <FailureBoundary report={report}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </FailureBoundary>,
  );
  await screen.findByRole('button', { name: '刷新页面' });
  expect(report).toHaveBeenCalledWith(failure);
  expect(reloadIfServed).toHaveBeenCalledOnce();
});

test('while the server is away the page says so and looks for it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  reloadIfServed.mockResolvedValue(false);
  render(<NotLoaded error={failure} />);
  await screen.findByText('连不上服务器');
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(reloadIfServed).toHaveBeenCalledTimes(2);
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(reloadIfServed).toHaveBeenCalledTimes(3);
});

test('a page that cannot be drawn is not reloaded by itself: it would fail again', async () => {
  render(<NotLoaded error={new TypeError('undefined is not a function')} />);
  await screen.findByText('页面出错了，请刷新后重试');
  expect(reloadIfServed).not.toHaveBeenCalled();
});
