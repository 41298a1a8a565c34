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

test('a message arrives with its body, type and headers, and the answer is told', async () => {
  await using receiver = await startReceiver(() => ({ status: 202, body: 'ok' }));

  const call = { ...callTo(`${receiver.origin}/a?b=c`), headers: { 'x-tongtu-signature': 'v1' } };
  expect(await postMessage(anywhere, call, never)).toEqual({ status: 202, body: 'ok' });

  const [received] = receiver.received;
  expect(received).toMatchObject({ path: '/a', body: '在' });
  expect(received?.headers).toMatchObject({ 'content-type': 'text/plain', 'x-tongtu-signature': 'v1' });
});

test('a private address is not connected to, written as number or name', async () => {
  await using receiver = await startReceiver();
  const port = new URL(receiver.origin).port;

  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
    await expect(postMessage(publicOnly, callTo(`http://${host}:${port}/`), never)).rejects.toThrow(AddressRefused);
  }
  const lying = { ...publicOnly, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  await expect(postMessage(lying, callTo(`http://hook.example.com:${port}/`), never)).rejects.toThrow(AddressRefused);

  expect(receiver.received).toEqual([]);
});

test('a redirect is an answer like any other: nobody goes where it leads', async () => {
  await using inner = await startReceiver();
  await using outer = await startReceiver(() => ({ status: 307, headers: { location: inner.origin } }));

  expect(await postMessage(anywhere, callTo(outer.origin), never)).toMatchObject({ status: 307 });

  expect(inner.received).toEqual([]);
});

test('of an answer without end no more than 64 KB are read', async () => {
  await using receiver = await startReceiver(() => ({ body: 'x'.repeat(10_000_000) }));

  const { body } = await postMessage(anywhere, callTo(receiver.origin), never);

  expect(body).toHaveLength(64 * 1024);
});

test('who says nothing is not waited for', async () => {
  await using silent = await startReceiver(() => undefined);

  await expect(postMessage({ ...anywhere, timeoutMs: 50 }, callTo(silent.origin), never)).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('an answer that does not end is one as far as it goes', async () => {
  await using endless = await startReceiver(() => ({ body: 'begin', isEndless: true }));

  const post = () => postMessage({ ...anywhere, timeoutMs: 500 }, callTo(endless.origin), never);
  // Asked again where the machine was so slow that the time was up before the answer began.
  await expect.poll(() => post().catch(String)).toEqual({ status: 200, body: 'begin' });
});

test('a stop ends the wait', async () => {
  const stop = new AbortController();
  await using silent = await startReceiver(() => {
    stop.abort(new Error('stopped'));
    return undefined;
  });

  await expect(postMessage(anywhere, callTo(silent.origin), stop.signal)).rejects.toThrow('stopped');
});
