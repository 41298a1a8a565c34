import { DatagramDecoder } from '@tongtu/tunnel';
import { AppError, type Route } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AbuseLog } from '../net/abuse-log.ts';
import { ClientMarker } from '../access/client-marker.ts';
import { VisitLog } from '../visit-log/visit-log.ts';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { openUdpPeer, type UdpPeer } from '../testing/port-services.ts';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { noMeter } from '../usage/mapping-meter.ts';
import type { UpstreamEvents, UpstreamPool } from '../upstream/upstream-stream.ts';
import { bindUdp } from './bind-port.ts';
import { UdpPort } from './udp-port.ts';

const MAX_CONVERSATIONS = 2;

/** A port with room for a few conversations and a service that receives everything and answers nothing. */
async function openSilentPort(maxConversations = MAX_CONVERSATIONS, given: Partial<Route> = {}) {
  const clock = { monotonicMs: 0 };
  const received: string[] = [];
  let ended = 0;
  const pool: UpstreamPool = {
    meter: noMeter,
    take: (_reuse, grant) => {
      const decoder = new DatagramDecoder();
      const events: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };
      const write = (chunk: Buffer) => received.push(...decoder.push(chunk).map(String)) > 0;
      return {
        events,
        grant,
        isReused: false,
        queuedBytes: 0,
        write,
        end() {},
        reset: () => void ended++,
        consumed() {},
        release() {},
      };
    },
  };
  const device = testDevice(createAgentKey(), { '': 1 }, { kind: 'udp', port: 1 });
  const route: Route = { ...(device.routes as [Route])[0], ...given };
  const socket = await bindUdp({ host: '127.0.0.1', port: 0, isShared: false });
  const udpPort = new UdpPort(socket, {
    findEntry: () => ({ route, owner: { device: { ...device, allowList: ['127.0.0.0/30'] } } }),
    findPool: () => pool,
    visitLog: new VisitLog({ monotonicMs: () => 0, wallClockMs: Date.now }),
    marker: new ClientMarker({ mark: () => Promise.reject(new AppError('gate.window-over')), wallClockMs: Date.now }),
    limits: { ...defaultRelayLimits, maxConversationsPerPort: maxConversations },
    monotonicMs: () => clock.monotonicMs,
    wallClockMs: () => Date.now(),
    abuse: new AbuseLog(pino({ level: 'silent' }), () => clock.monotonicMs),
    onConnectionClosed() {},
  });
  return {
    clock,
    received,
    port: socket.address().port,
    endedCount: () => ended,
    [Symbol.dispose]: () => udpPort.close(),
  };
}

test('when a port is full, a visitor with a conversation gives up its own, and others end once they were silent', async () => {
  using full = await openSilentPort();
  const say = (peer: UdpPeer, text: string) => peer.socket.send(text, full.port, '127.0.0.1');
  const peers = await Promise.all(Array.from({ length: 3 }, () => openUdpPeer()));
  await using other = await openUdpPeer(() => {}, 0, '127.0.0.2');
  for (const [index, peer] of peers.entries()) {
    say(peer, String(index));
    await expect.poll(() => full.received.at(-1)).toBe(String(index));
    full.clock.monotonicMs += 1_000;
  }
  expect(full.endedCount()).toBe(1);
  say(other, 'no room');
  say(peers[2]!, 'still here');
  await expect.poll(() => full.received.at(-1)).toBe('still here');
  full.clock.monotonicMs += 5_000;
  say(other, 'room');
  await expect.poll(() => full.received.at(-1)).toBe('room');
  for (const { socket } of peers) socket.close();
});

test('when another visitor fills a port, players behind one address do not end each other', async () => {
  using full = await openSilentPort(4);
  const say = (peer: UdpPeer, text: string) => peer.socket.send(text, full.port, '127.0.0.1');
  await using first = await openUdpPeer();
  await using second = await openUdpPeer();
  const others = await Promise.all(Array.from({ length: 3 }, () => openUdpPeer(() => {}, 0, '127.0.0.2')));
  for (const [index, peer] of [...others, first].entries()) {
    say(peer, String(index));
    await expect.poll(() => full.received.at(-1)).toBe(String(index));
  }
  full.clock.monotonicMs += 5_000;
  for (const [index, peer] of [first, second, first, second].entries()) {
    say(peer, `play ${index}`);
    await expect.poll(() => full.received.at(-1)).toBe(`play ${index}`);
  }
  expect(full.endedCount()).toBe(1);
  for (const { socket } of others) socket.close();
});

test('when a port is full, a visitor that may not come in ends no conversation', async () => {
  using full = await openSilentPort(MAX_CONVERSATIONS, { policy: 'owner' });
  await using first = await openUdpPeer();
  await using second = await openUdpPeer(() => {}, 0, '127.0.0.2');
  await using anonymous = await openUdpPeer(() => {}, 0, '127.0.0.9');
  const say = (peer: UdpPeer, text: string) => peer.socket.send(text, full.port, '127.0.0.1');
  for (const [index, peer] of [first, second].entries()) {
    say(peer, String(index));
    await expect.poll(() => full.received.at(-1)).toBe(String(index));
  }
  full.clock.monotonicMs += 60_000;
  for (let turn = 0; turn < 5; turn++) say(anonymous, 'let me in');
  for (const [index, peer] of [first, second].entries()) {
    say(peer, `still ${index}`);
    await expect.poll(() => full.received.at(-1)).toBe(`still ${index}`);
  }
  expect(full.received).not.toContain('let me in');
  expect(full.endedCount()).toBe(0);
});

test('when a port is full, the oldest unanswered conversation ends, but not at once', async () => {
  using silent = await openSilentPort();
  await using first = await openUdpPeer(() => {}, 0, '127.0.0.11');
  await using second = await openUdpPeer(() => {}, 0, '127.0.0.12');
  await using third = await openUdpPeer(() => {}, 0, '127.0.0.13');
  const say = (peer: typeof first, text: string) => peer.socket.send(text, silent.port, '127.0.0.1');
  say(first, '1');
  await expect.poll(() => silent.received).toEqual(['1']);
  silent.clock.monotonicMs = 1_000;
  say(second, '2');
  await expect.poll(() => silent.received).toEqual(['1', '2']);
  silent.clock.monotonicMs = 4_000;
  say(third, 'no room');
  say(second, '2 again');
  await expect.poll(() => silent.received).toEqual(['1', '2', '2 again']);
  expect(silent.endedCount()).toBe(0);

  silent.clock.monotonicMs = 5_500;
  say(third, '3');
  await expect.poll(() => silent.received.at(-1)).toBe('3');
  expect(silent.endedCount()).toBe(1);
  say(first, 'no room');
  say(second, '2 goes on');
  await expect.poll(() => silent.received.at(-1)).toBe('2 goes on');
  expect(silent.received).not.toContain('no room');
});

test('a visitor that sends from ever new ports exchanges its conversations at a limited rate', async () => {
  using full = await openSilentPort();
  await using first = await openUdpPeer();
  first.socket.send('first', full.port, '127.0.0.1');
  await expect.poll(() => full.received).toEqual(['first']);
  for (let turn = 0; turn < 45; turn++) {
    const peers = await Promise.all(Array.from({ length: 50 }, () => openUdpPeer()));
    const sent = peers.map(
      async ({ socket }) =>
        await new Promise<void>((resolve) => socket.send('more', full.port, '127.0.0.1', () => resolve())),
    );
    await Promise.all(sent);
    await Promise.all(peers.map(async (peer) => await peer[Symbol.asyncDispose]()));
  }
  await expect.poll(() => full.endedCount()).toBe(2_000);
  expect(full.received.length).toBeLessThanOrEqual(2_002);
});
