import { type NetConnectOpts, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Connect, dialFresh } from './dial-fresh.ts';
import { RelayHost } from './relay-host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

/** Sockets that the test connects, or has fail. */
function recordConnects() {
  const dialled: { address: string; socket: Socket }[] = [];
  // The only one of its forms that is called.
  const connect = ((options: NetConnectOpts & { host: string }) => {
    const socket = new Socket();
    dialled.push({ address: options.host, socket });
    return socket;
  }) as Connect;
  return {
    connect,
    dialled,
    addresses: () => dialled.map(({ address }) => address),
    open: () => dialled.filter(({ socket }) => !socket.destroyed).length,
    answer: (index: number) => dialled[index]?.socket.emit('connect'),
    fail: (index: number, code: string) =>
      dialled[index]?.socket.emit('error', Object.assign(new Error(code), { code })),
  };
}

test('while the relay does not answer, a fresh connection is begun every 500 ms and five are kept', async () => {
  const { connect, dialled, open, answer } = recordConnects();
  const connecting = dialFresh(new RelayHost('192.0.2.1'), 7100, signal, connect);
  await vi.advanceTimersByTimeAsync(4_999);
  expect([dialled.length, open()]).toEqual([10, 5]);

  answer(9);

  expect(await connecting).toBe(dialled[9]?.socket);
  expect(open()).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(dialled).toHaveLength(10);
});

test('the addresses of a name take turns, and one that answered comes first the next time', async () => {
  const host = new RelayHost('relay.example', () => Promise.resolve(['2001:db8::1', '2001:db8::2', '192.0.2.1']));
  const first = recordConnects();
  const connecting = dialFresh(host, 7100, signal, first.connect);
  await vi.advanceTimersByTimeAsync(1_400);
  expect(first.addresses()).toEqual(['2001:db8::1', '192.0.2.1', '2001:db8::2', '2001:db8::1']);
  first.answer(1);
  await connecting;

  const second = recordConnects();
  const again = dialFresh(host, 7100, signal, second.connect);
  second.answer(0);
  await again;
  expect(second.addresses()).toEqual(['192.0.2.1']);
});

test('an address that refuses is left out at once, and when all refuse the dialling ends', async () => {
  const { connect, addresses, fail } = recordConnects();
  const host = new RelayHost('relay.example', () => Promise.resolve(['2001:db8::1', '192.0.2.1']));
  const connecting = dialFresh(host, 7100, signal, connect);
  await vi.advanceTimersByTimeAsync(0);
  fail(0, 'ENETUNREACH');
  await vi.advanceTimersByTimeAsync(600);
  expect(addresses()).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.1']);
  fail(2, 'ECONNREFUSED');
  await expect(connecting).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a resolver that hangs, or fails, does not hold up the address that is known', async () => {
  const lookups: PromiseWithResolvers<string[]>[] = [];
  const host = new RelayHost('relay.example', () => {
    const lookup = Promise.withResolvers<string[]>();
    lookups.push(lookup);
    return lookup.promise;
  });
  const known = host.refresh();
  lookups[0]?.resolve(['192.0.2.1']);
  await known;

  const { connect, dialled, answer } = recordConnects();
  const connecting = dialFresh(host, 7100, signal, connect);
  const beside = dialFresh(host, 7100, signal, connect);
  expect([dialled.length, lookups.length]).toEqual([2, 2]);
  lookups[1]?.reject(new Error('EAI_AGAIN'));
  await vi.advanceTimersByTimeAsync(500);
  expect(dialled).toHaveLength(4);
  answer(0);
  answer(1);
  await Promise.all([connecting, beside]);
});

test('a name that has moved is followed while its old address is dialled', async () => {
  const answers = [['192.0.2.1'], ['198.51.100.7']];
  const host = new RelayHost('relay.example', () => Promise.resolve(answers.shift() ?? []));
  await host.refresh();
  const { connect, addresses, answer } = recordConnects();
  const connecting = dialFresh(host, 7100, signal, connect);
  await vi.advanceTimersByTimeAsync(0);
  expect(addresses()).toEqual(['192.0.2.1', '198.51.100.7']);
  answer(1);
  await connecting;
});

test('an abort destroys every attempt and rejects with its reason', async () => {
  const { connect, open } = recordConnects();
  const stopping = new AbortController();
  const connecting = dialFresh(new RelayHost('192.0.2.1'), 7100, stopping.signal, connect);
  await vi.advanceTimersByTimeAsync(1_200);
  stopping.abort(new Error('stopped'));
  await expect(connecting).rejects.toThrow('stopped');
  expect(open()).toBe(0);
  await expect(dialFresh(new RelayHost('192.0.2.1'), 7100, stopping.signal, connect)).rejects.toThrow('stopped');
});
