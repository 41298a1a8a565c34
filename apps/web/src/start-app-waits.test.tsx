import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { startApp } from './start-app.tsx';

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  vi.restoreAllMocks();
});

/** A server that refuses all calls and records the timeout of each. */
function impatientFetch() {
  const waits: Record<string, number | undefined> = {};
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000');
    waits[pathname] = timeout.mock.lastCall?.[0];
    throw new DOMException('', 'AbortError');
  };
  return { waits, fetch };
}

test('startup waits five seconds each for announcements and profile, and then says that the server is away', async () => {
  document.body.innerHTML = '<div id="root"></div>';
  const container = document.querySelector<HTMLElement>('#root');
  if (!container) throw new Error('no container');
  window.location.hash = '#/devices';
  const { waits, fetch } = impatientFetch();

  stop = await startApp({ fetch, container, report: () => undefined });
  await screen.findByText('连不上服务器');
  expect(waits).toMatchObject({ '/api/announcement/announcements/': 5000, '/api/profile/': 5000 });
});
