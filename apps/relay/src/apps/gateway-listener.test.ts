import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type AppStreamOutcome, appStreamOutcomes } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { endOf, startTcpService, type TcpService } from '../testing/port-services.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';
import type { TestAgentOptions } from '../testing/test-agent.ts';

const secret = 'secret-of-the-gateway';
const APP = 4_000_000;

async function startRelayWithGateway(gatewayPort = 1): Promise<TestRelay> {
  const gateway = { host: '127.0.0.1', port: gatewayPort, secret };
  return await startTestRelay({}, pino({ level: 'silent' }), { gateway });
}

async function connectApp(t: TestRelay, service: TcpService, options: Partial<TestAgentOptions> = {}) {
  const key = createAgentKey();
  const device = { ...testDevice(key, {}), apps: [{ appId: APP, targetHost: '127.0.0.1', targetPort: service.port }] };
  const agent = await t.connectDevice(device, key, options);
  return { device, agent };
}

function openApp(t: TestRelay, request: unknown, rest = ''): Socket {
  const socket = connect({ port: must(t.relay.gatewayPort, 'a port for the gateway'), host: '127.0.0.1' });
  socket.on('error', () => {}); // some tests cause a reset
  socket.write(`${typeof request === 'string' ? request : JSON.stringify(request)}\n${rest}`);
  return socket;
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
}

const good = { secret, app: APP, address: '198.51.100.7' };
const bytesOf = (...outcomes: AppStreamOutcome[]) =>
  Buffer.from(outcomes.map((each) => appStreamOutcomes.indexOf(each)));

test('bytes go to the target of the app and back, after the outcome', async () => {
  await using t = await startRelayWithGateway();
  await using echo = await startTcpService((socket) => socket.pipe(socket));
  const { agent } = await connectApp(t, echo);
  const socket = openApp(t, good, 'hello ');
  socket.end('target');
  expect(await readAll(socket)).toEqual(Buffer.concat([bytesOf('opened', 'connected'), Buffer.from('hello target')]));
  expect(agent.opened).toMatchObject([{ mappingId: APP, port: echo.port, visitorAddress: good.address }]);
});

test('the agent learns the target, and it is cut when the app goes', async () => {
  await using t = await startRelayWithGateway();
  await using service = await startTcpService((socket) => socket.write('hello'));
  const { device, agent } = await connectApp(t, service);
  const welcome = await agent.waitFor('welcome');
  expect(welcome.targets).toEqual([{ mappingId: APP, host: '127.0.0.1', port: service.port, transport: 'tcp' }]);
  const socket = openApp(t, good).resume();
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(2);
  t.server.put({ ...device, apps: [] });
  await endOf(socket);
  expect(await readAll(openApp(t, good))).toEqual(bytesOf('changed'));
});

test('failures come as an outcome: an unknown app, a device that is away, a target that refuses', async () => {
  await using t = await startRelayWithGateway();
  await using service = await startTcpService();
  expect(await readAll(openApp(t, good))).toEqual(bytesOf('changed'));
  const { agent } = await connectApp(t, service, { onOpen: () => 'refused' });
  expect(await readAll(openApp(t, good))).toEqual(bytesOf('opened', 'refused'));
  await agent[Symbol.asyncDispose]();
  await expect.poll(async () => await readAll(openApp(t, good))).toEqual(bytesOf('device-offline'));
});

test.each([
  ['another secret', { ...good, secret: 'guessed' }],
  ['no secret', { app: APP, address: '' }],
  ['no JSON', 'GET / HTTP/1.1'],
  ['an endless line', 'x'.repeat(5_000)],
])('a connection with %s is closed without an answer', async (_what, request) => {
  await using t = await startRelayWithGateway();
  await using service = await startTcpService((socket) => socket.write('hello'));
  await connectApp(t, service);
  const socket = openApp(t, request);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  await once(socket, 'close');
  expect([received, service.sockets]).toEqual([[], []]);
});

test('no visitor reaches the target of an app', async () => {
  await using t = await startRelayWithGateway();
  await using service = await startTcpService((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  await connectApp(t, service);
  const socket = connect({ port: t.relay.httpPort, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n');
  await readAll(socket);
  expect(service.sockets).toEqual([]);
});

test('the paths of sessions at the console go to the gateway, all others to the server', async () => {
  await using gateway = await startLanService((request, response) => response.end(`gateway ${request.url}`));
  await using t = await startRelayWithGateway(gateway.port);
  t.server.handlers.page = (_request, response) => response.end('server');
  const visit = async (path: string) => await (await fetch(`http://localhost:${t.relay.httpPort}${path}`)).text();
  expect(await visit('/apps/5/terminal')).toBe('gateway /apps/5/terminal');
  expect(await visit('/api/apps/5')).toBe('server');
});
