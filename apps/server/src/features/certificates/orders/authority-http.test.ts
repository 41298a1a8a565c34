import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { axios } from 'acme-client';
import { expect, test } from 'vitest';
import { configureAuthorityHttp } from './authority-http.ts';

const REFUSED = 'urn:ietf:params:acme:error:';

/** Calls an authority that answers like this. Resolves with what the library would see. */
async function callAuthority(answer: (response: ServerResponse) => void): Promise<{ calls: number; result: unknown }> {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  configureAuthorityHttp('tongtu/test');
  configureAuthorityHttp('tongtu/test'); // tests with several servers call it several times
  // Like the library, which accepts every status.
  const result: unknown = await axios
    .request({ url: `http://127.0.0.1:${port}/`, validateStatus: null })
    .catch((error: unknown) => error);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { calls, result };
}

function problem(type: string, status: number, headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ type: `${REFUSED}${type}`, detail: 'the words of the authority' }));
}

test('a rate limit is reported at once with its Retry-After', async () => {
  const { calls, result } = await callAuthority(problem('rateLimited', 429, { 'retry-after': '3600' }));
  expect(result).toMatchObject({
    problem: 'rate-limited',
    retryAfterMs: 3_600_000,
    message: 'rateLimited: the words of the authority',
  });
  expect(calls).toBe(1);
});

test('Retry-After may be a date', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const { result } = await callAuthority(problem('rateLimited', 429, { 'retry-after': inAnHour }));
  const { retryAfterMs } = result as { retryAfterMs: number }; // checked by the next line
  expect(retryAfterMs / 3_600_000).toBeCloseTo(1, 1);
});

test.for([
  ['connection', 'connection-failed'],
  ['unauthorized', 'answer-wrong'],
  ['dns', 'dns-lookup-failed'],
  ['caa', 'caa-forbids'],
  ['rejectedIdentifier', 'name-refused'],
  ['accountDoesNotExist', 'account-refused'],
  ['serverInternal', 'authority-unreachable'],
  ['somethingOfTomorrow', 'authority-refused'],
] as const)('the error %s is reported as %s', async ([type, expected]) => {
  const { result } = await callAuthority(problem(type, 403));
  expect(result).toMatchObject({ problem: expected });
});

test('a stale nonce is left to the library, which retries with the new one', async () => {
  const { result } = await callAuthority(problem('badNonce', 400, { 'replay-nonce': 'fresh' }));
  expect(result).toMatchObject({ status: 400, headers: { 'replay-nonce': 'fresh' } });
});

test('an error reply without a problem document counts as an unreachable authority', async () => {
  const { result: broken } = await callAuthority((response) => response.writeHead(502).end('<html>Bad Gateway</html>'));
  expect(broken).toMatchObject({ problem: 'authority-unreachable', message: 'HTTP 502' });
  const { result: missing } = await callAuthority((response) => response.writeHead(404).end('not here'));
  expect(missing).toMatchObject({ problem: 'authority-unreachable', message: 'HTTP 404' });
  const { result: cut } = await callAuthority((response) => response.destroy());
  expect(cut).toMatchObject({ problem: 'authority-unreachable' });
});

test('an answer that is too long is not read to its end', async () => {
  const { result } = await callAuthority((response) => response.writeHead(200).end(Buffer.alloc(2 * 1024 * 1024, 'a')));
  expect(result).toMatchObject({ problem: 'authority-unreachable' });
});
