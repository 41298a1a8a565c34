import { once } from 'node:events';
import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { realClientHello } from '../testing/clients/client-hello-bytes.ts';
import { startTcpService, visitPort } from '../testing/port-services.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { sendAndVanish } from '../testing/clients/send-and-vanish.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n';

test.each([false, true])(
  'a ClientHello whose visitor has disconnected reaches no device (with a PROXY header: %s)',
  async (proxyProtocol) => {
    await using service = await startTcpService((socket) => socket.end());
    await using t = await startTestRelay();
    const key = createAgentKey();
    const route = { kind: 'https', tlsPassthrough: true, proxyProtocol } as const;
    const agent = await t.connectDevice(testDevice(key, { 'home.example': service.port }, route), key);
    sendAndVanish(t.relay.tlsPort, await realClientHello({ servername: 'home.example' }));
    using visitor = await tlsVisit(t.relay.tlsPort, 'localhost');
    visitor.end();
    expect(agent.opened).toEqual([]);
  },
);

test('a request whose visitor has disconnected reaches no device', async () => {
  await using lan = await startLanService((_request, response) => response.end('here'));
  await using t = await startTestRelay();
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  sendAndVanish(t.relay.httpPort, Buffer.from(REQUEST));
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(REQUEST);
  expect(await visitor.untilEnd()).toMatch(/here$/);
  expect(agent.opened.map(({ visitorAddress }) => visitorAddress)).toEqual(['127.0.0.1']);
});

test.each([false, true])(
  'bytes for a TCP mapping whose visitor has disconnected reach no device (with a PROXY header: %s)',
  async (proxyProtocol) => {
    const port = await freePort();
    await using service = await startTcpService((socket) => socket.write('hello'));
    await using t = await startTestRelay();
    const key = createAgentKey();
    const route = { kind: 'tcp', port, proxyProtocol } as const;
    const agent = await t.connectDevice(testDevice(key, { '': service.port }, route), key);
    await once(await visitPort(port), 'data');
    sendAndVanish(port, Buffer.from('anything'));
    await once(await visitPort(port), 'data');
    expect(agent.opened.map(({ visitorAddress }) => visitorAddress)).toEqual(['127.0.0.1', '127.0.0.1']);
  },
);

test('an agent that has disconnected delays no other agent', async () => {
  await using t = await startTestRelay({ maxUnauthenticatedPerIp: 1 });
  sendAndVanish(t.relay.tunnelPort, await realClientHello({ servername: 'localhost', minVersion: 'TLSv1.3' }));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, {}), key);
});
