import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import { AppError, type Route } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AbuseLog } from '../net/abuse-log.ts';
import { ClientMarker } from '../access/client-marker.ts';
import { VisitLog } from '../visit-log/visit-log.ts';
import { ConnectionLimit } from '../net/connection-limit.ts';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { PortRoutes } from '../routes/port-routes.ts';
import { echoPool } from '../testing/echo-pool.ts';
import { visitPort } from '../testing/port-services.ts';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { PublicPorts } from './public-ports.ts';

const key = createAgentKey();

/** The ports of a relay process, with one device behind them that echoes. */
function openPorts(host: string, options: { isShared: boolean }) {
  const routes = new PortRoutes();
  const taken: string[] = [];
  const log = pino({ level: 'silent' });
  const monotonicMs = () => performance.now();
  const publicPorts = new PublicPorts({
    ...options,
    prepare: () => {},
    routes,
    host,
    isConsoleHost: () => false,
    findPool: () => ({ ...echoPool, take: (reuse, grant) => (taken.push(grant.address), echoPool.take(reuse, grant)) }),
    visitLog: new VisitLog({ monotonicMs: () => 0, wallClockMs: Date.now }),
    marker: new ClientMarker({ mark: () => Promise.reject(new AppError('gate.window-over')), wallClockMs: Date.now }),
    limits: defaultRelayLimits,
    visitorLimit: new ConnectionLimit({ perAddress: 1_000, total: Infinity }),
    monotonicMs,
    abuse: new AbuseLog(log, monotonicMs),
    wallClockMs: () => Date.now(),
    log,
  });
  return {
    taken,
    map(kind: 'tcp' | 'udp', port: number) {
      const device = testDevice(key, { '': 1 }, { kind, port });
      const [route] = device.routes as [Route];
      routes.put({ route, owner: { device } });
    },
    [Symbol.asyncDispose]: () => publicPorts[Symbol.asyncDispose](),
  };
}

async function askUdp(host: string, port: number, question: string): Promise<string> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const answered = once(socket, 'message') as Promise<[Buffer]>; // what a UDP socket emits
  const asking = setInterval(() => socket.send(question, port, host), 10);
  const [answer] = await answered;
  clearInterval(asking);
  socket.close();
  return String(answer);
}

async function askTcp(host: string, port: number, question: string): Promise<string> {
  const socket = await visitPort(port, host);
  socket.end(question);
  const [answer] = (await once(socket, 'data')) as [Buffer]; // no encoding was set
  socket.destroy();
  return String(answer);
}

test.each([
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['::1', '::1', '::1'],
  ['localhost', 'localhost', expect.stringMatching(/^(127\.0\.0\.1|::1)$/)],
])('a relay on %s has TCP and UDP ports there, also of one number', async (host, visited, address) => {
  await using ports = openPorts(host, { isShared: false });
  const port = await freePort();
  ports.map('tcp', port);
  ports.map('udp', port);
  const udpHost = visited === 'localhost' ? '127.0.0.1' : visited;
  expect(await askTcp(visited, port, 'over TCP')).toBe('over TCP');
  if (visited !== 'localhost') expect(await askUdp(udpHost, port, 'over UDP')).toBe('over UDP');
  expect(new Set(ports.taken)).toEqual(new Set([address]));
});

test('two processes can share a port, and when one stops the other keeps it', async () => {
  const port = await freePort();
  await using staying = openPorts('127.0.0.1', { isShared: true });
  {
    await using leaving = openPorts('127.0.0.1', { isShared: true });
    for (const kind of ['tcp', 'udp'] as const) {
      staying.map(kind, port);
      leaving.map(kind, port);
    }
    await expect
      .poll(async () => {
        await askTcp('127.0.0.1', port, 'x');
        await askUdp('127.0.0.1', port, 'x');
        return staying.taken.length > 0 && leaving.taken.length > 0;
      })
      .toBe(true);
  }
  for (let n = 0; n < 10; n++) {
    expect(await askTcp('127.0.0.1', port, 'still')).toBe('still');
    expect(await askUdp('127.0.0.1', port, 'here')).toBe('here');
  }
});
