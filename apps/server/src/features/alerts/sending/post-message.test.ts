import { expect, test } from 'vitest';
import { postMessage, type PostDeps } from './post-message.ts';
import { AddressRefused, resolveAll } from '../../../http/public-address.ts';
import { startReceiver } from '../testing/receiver.ts';

const anywhere: PostDeps = { allowedAddresses: 'any', resolve: resolveAll };
const publicOnly: PostDeps = { allowedAddresses: 'public', resolve: resolveAll };
const never = new AbortController().signal;

function callTo(url: string) {
  return { url: new URL(url), contentType: 'text/plain', body: '在' };
}

test('a message arrives with its body, type and headers, and its response is returned', async () => {
  await using receiver = await startReceiver(() => ({ status: 202, body: 'ok' }));

  const call = { ...callTo(`${receiver.origin}/a?b=c`), headers: { 'x-tongtu-signature': 'v1' } };
  expect(await postMessage(anywhere, call, never)).toEqual({ status: 202, body: 'ok' });

  const [received] = receiver.received;
  expect(received).toMatchObject({ path: '/a', body: '在' });
  expect(received?.headers).toMatchObject({ 'content-type': 'text/plain', 'x-tongtu-signature': 'v1' });
});

test('a private address is refused, written as a number or reached by a name', async () => {
  await using receiver = await startReceiver();
  const port = new URL(receiver.origin).port;

  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
    await expect(postMessage(publicOnly, callTo(`http://${host}:${port}/`), never)).rejects.toThrow(AddressRefused);
  }
  const rebound = { ...publicOnly, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  await expect(postMessage(rebound, callTo(`http://hook.example.com:${port}/`), never)).rejects.toThrow(AddressRefused);

  expect(receiver.received).toEqual([]);
});

test('a redirect is returned and not followed', async () => {
  await using inner = await startReceiver();
  await using outer = await startReceiver(() => ({ status: 307, headers: { location: inner.origin } }));

  expect(await postMessage(anywhere, callTo(outer.origin), never)).toMatchObject({ status: 307 });

  expect(inner.received).toEqual([]);
});

test('at most 64 KB of a response are read', async () => {
  await using receiver = await startReceiver(() => ({ body: 'x'.repeat(10_000_000) }));

  const { body } = await postMessage(anywhere, callTo(receiver.origin), never);

  expect(body).toHaveLength(64 * 1024);
});

test('a receiver that does not respond causes a timeout', async () => {
  await using silent = await startReceiver(() => undefined);

  await expect(postMessage({ ...anywhere, timeoutMs: 50 }, callTo(silent.origin), never)).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('a response that does not end is returned as far as it was received', async () => {
  await using endless = await startReceiver(() => ({ body: 'begin', isEndless: true }));

  const post = () => postMessage({ ...anywhere, timeoutMs: 500 }, callTo(endless.origin), never);
  // Repeated because on a slow machine the timeout may pass before the response begins.
  await expect.poll(() => post().catch(String)).toEqual({ status: 200, body: 'begin' });
});

test('an abort ends the wait for a response', async () => {
  const abort = new AbortController();
  await using silent = await startReceiver(() => {
    abort.abort(new Error('aborted'));
    return undefined;
  });

  await expect(postMessage(anywhere, callTo(silent.origin), abort.signal)).rejects.toThrow('aborted');
});
