import { cleanup, render, screen } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { FailureBoundary } from './failure-boundary.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('where a part of a screen does not arrive, the page says so and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockReturnValue(); // React reports it, too
  const failure = new TypeError('Failed to fetch dynamically imported module');
  const Part = lazy(() => Promise.reject<{ default: () => null }>(failure));
  const report = vi.fn<(error: unknown) => void>();
  render(
    <FailureBoundary report={report}>
      <Suspense>
        <Part />
      </Suspense>
    </FailureBoundary>,
  );
  await screen.findByRole('button', { name: '刷新页面' });
  expect(report).toHaveBeenCalledWith(failure);
});
