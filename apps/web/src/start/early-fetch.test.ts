import { expect, test, vi } from 'vitest';
import { createEarlyFetch } from './early-fetch.ts';

const url = '/api/profile/';

function open({ atMs = 0 } = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json('later'));
  const early = { replies: { [url]: Promise.resolve(Response.json('early')) } };
  const make = () => createEarlyFetch(fetch, early, () => atMs);
  const read = async (from: typeof globalThis.fetch, init?: RequestInit) => await (await from(url, init)).json();
  return { fetch, make, read };
}

test('the first call of each reader gets the early reply, and later ones a new one', async () => {
  const { fetch, make, read } = open();
  const [start, console] = [make(), make()];
  expect(await read(start)).toBe('early');
  expect(await read(console)).toBe('early');
  expect(fetch).not.toHaveBeenCalled();
  expect(await read(start)).toBe('later');
});

test('after a change no early reply is used', async () => {
  const { make, read } = open();
  const [start, console] = [make(), make()];
  await start('/custom/login/', { method: 'POST' });
  expect(await read(start)).toBe('later');
  expect(await read(console)).toBe('later');
});

test('an old early reply is not used', async () => {
  const { make, read } = open({ atMs: 30_001 });
  expect(await read(make())).toBe('later');
});

test('the caller’s signal ends the wait for an early reply', async () => {
  const early = { replies: { [url]: new Promise<Response>(() => undefined) } };
  const fetch = createEarlyFetch(
    async () => Response.json('later'),
    early,
    () => 0,
  );
  const ended = new AbortController();
  const reply = fetch(url, { signal: ended.signal });
  ended.abort(new Error('cancelled'));
  await expect(reply).rejects.toThrow('cancelled');
});
