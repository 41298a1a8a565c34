import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { type Api, forgetUser } from '../api/index.ts';
import { storePendingLogin } from '../features/login/wechat/wechat-note.ts';
import { createLoaders } from './route-loaders.ts';

afterEach(() => sessionStorage.clear());

test('a guard asks again when its profile query was cancelled because the user was forgotten', async () => {
  const queryClient = new QueryClient();
  const asked = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  let calls = 0;
  const call = async () => await asked[calls++]?.promise;
  const api = { call } as unknown as Api; // the guard fetches only the profile
  const { home } = createLoaders({ api, queryClient, pageUrl: () => 'http://localhost:8080/' });
  const request = new Request('http://localhost:8080/devices');

  const decision = home({ request, params: {} } as Parameters<typeof home>[0]); // all that the guard reads
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
  {
    left: '/login?url=%23%2Frecord&aff=7',
    who: 'an anonymous client',
    profiles: [],
    to: '/login?url=%23%2Frecord&aff=7',
  },
  { left: '/login', who: 'an anonymous client', profiles: [], to: undefined },
  { left: '/user/info', who: 'an anonymous client', profiles: [], to: undefined },
  { left: '/user/info', who: 'a user', profiles: [{ id: 1, token: 'tt_secret' }], to: '/user/info' },
])('back from WeChat’s question, $who who left $left comes to $to', async ({ left, profiles, to }) => {
  window.location.hash = left;
  storePendingLogin('state-1');
  const api = { call: async () => profiles } as unknown as Api; // the guard fetches only the profile
  const deps = { api, queryClient: new QueryClient(), pageUrl: () => 'http://localhost:8080/' };
  const request = new Request('http://localhost:8080/login');

  const decision = await createLoaders(deps)
    .login({ request, params: {} } as Parameters<ReturnType<typeof createLoaders>['login']>[0]) // all that the guard reads
    .catch((reason: unknown) => reason);
  const location = decision instanceof Response ? decision.headers.get('location') : undefined;
  expect(location).toBe(to);
});
