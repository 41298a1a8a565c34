import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { type Api, forgetUser } from './api/index.ts';
import { createLoaders } from './route-loaders.ts';

test('a guard whose question is taken back, because the user was forgotten, asks anew', async () => {
  const queryClient = new QueryClient();
  const asked = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let calls = 0;
  const call = async () => await asked[calls++]?.promise;
  const api = { call } as unknown as Api; // the guard asks for the profile alone
  const { home } = createLoaders({ api, queryClient, pageUrl: () => 'http://localhost:8080/' });
  const request = new Request('http://localhost:8080/devices');

  const decision = home({ request, params: {} } as Parameters<typeof home>[0]); // what it looks at
  forgetUser(queryClient);
  asked[0]?.resolve([{ id: 1, token: 'tt_secret' }]);
  asked[1]?.resolve([]);

  const redirect = await decision.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect((redirect as Response).headers.get('location')).toBe('/login');
});
