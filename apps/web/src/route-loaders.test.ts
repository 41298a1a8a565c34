import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { type Api, forgetUser } from './api/index.ts';
import { noteLeaving } from './features/login/wechat/wechat-note.ts';
import { createLoaders } from './route-loaders.ts';

afterEach(() => sessionStorage.clear());

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

test.each([
  { left: '/login?url=%23%2Frecord&aff=7', who: 'a stranger', profiles: [], to: '/login?url=%23%2Frecord&aff=7' },
  { left: '/login', who: 'a stranger', profiles: [], to: undefined },
  { left: '/user/info', who: 'a stranger', profiles: [], to: undefined },
  { left: '/user/info', who: 'a user', profiles: [{ id: 1, token: 'tt_secret' }], to: '/user/info' },
])('back from WeChat’s question $who who left $left comes to $to', async ({ left, profiles, to }) => {
  window.location.hash = left;
  noteLeaving('state-1');
  const api = { call: async () => profiles } as unknown as Api; // the guard asks for the profile alone
  const deps = { api, queryClient: new QueryClient(), pageUrl: () => 'http://localhost:8080/' };
  const request = new Request('http://localhost:8080/login');

  const decision = await createLoaders(deps)
    .login({ request, params: {} } as Parameters<ReturnType<typeof createLoaders>['login']>[0]) // what it looks at
    .catch((reason: unknown) => reason);
  const location = decision instanceof Response ? decision.headers.get('location') : undefined;
  expect(location).toBe(to);
});
