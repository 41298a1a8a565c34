import { expect, test } from 'vitest';
import { fetchBootstrap } from './bootstrap.ts';
import { TestRelay } from '../testing/test-relay.ts';

test.each([
  ['5', 5_000],
  ['86400', 60_000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
])('Retry-After: %s is kept, up to a limit', async (retryAfter, retryAfterMs) => {
  await using relay = await TestRelay.start();
  relay.bootstrap = 429;
  relay.bootstrapHeaders = { 'retry-after': retryAfter };
  const asked = fetchBootstrap(relay.serverUrl, new AbortController().signal);
  await expect(asked).rejects.toMatchObject({ message: 'status_429', retryAfterMs });
});
