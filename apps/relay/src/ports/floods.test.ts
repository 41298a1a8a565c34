import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { HOSTILE, servedPage, startFloodedRelay } from '../testing/flooded-relay.ts';
import { startTcpService, startUdpEcho, visitPort } from '../testing/port-services.ts';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';

async function bindUdp(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

test('datagrams from many ports of one address use no more than its share, and other visitors get answers', async () => {
  await using flood = await startFloodedRelay({ maxConversationsPerVisitor: 16 });
  await using echo = await startUdpEcho();
  const port = await freePort();
  const key = createAgentKey();
  const agent = await flood.t.connectDevice(testDevice(key, { '': echo.port }, { kind: 'udp', port }), key);
  const hostile = await Promise.all(Array.from({ length: 200 }, () => bindUdp(HOSTILE)));
  const other = await bindUdp('127.0.0.7');
  const answers: string[] = [];
  other.on('message', (datagram) => answers.push(String(datagram)));
  await expect
    .poll(() => {
      for (const socket of hostile) socket.send('flood', port, '127.0.0.1');
      other.send('question', port, '127.0.0.1');
      return answers.at(-1);
    })
    .toBe('question');
  for (let turn = 0; turn < 20; turn++) {
    for (const socket of hostile) socket.send('flood', port, '127.0.0.1');
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => flood.warnings()).toEqual(['too many UDP conversations: the longest idle ones end']);
  expect(agent.mux.streamCount).toBeLessThanOrEqual(18); // with the connection's own, and the other visitor's
  other.send('question', port, '127.0.0.1');
  await once(other, 'message');
  // Its conversation went on.
  expect(agent.opened.filter(({ visitorAddress }) => visitorAddress === '127.0.0.7')).toHaveLength(1);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  for (const socket of [...hostile, other]) socket.close();
});

test('TCP connections over a port’s limit are reset and logged once, and a freed place is used again', async () => {
  await using flood = await startFloodedRelay({ maxConnectionsPerPort: 10 });
  await using service = await startTcpService((socket) => socket.write('hello'));
  const port = await freePort();
  const key = createAgentKey();
  const agent = await flood.t.connectDevice(testDevice(key, { '': service.port }, { kind: 'tcp', port }), key);
  const open = () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: HOSTILE });
    return socket.on('error', () => {}).resume();
  };
  (await visitPort(port)).resetAndDestroy();
  await expect.poll(() => service.sockets.length).toBe(1);
  const sockets = Array.from({ length: 100 }, open);
  let ends = 0;
  for (const socket of sockets) socket.on('close', () => ends++);
  await expect.poll(() => ends).toBeGreaterThanOrEqual(90);
  expect(await flood.visitAsOther()).toMatch(servedPage);
  expect(flood.warnings()).toEqual(['too many connections: some are turned away']);
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(() => agent.mux.streamCount).toBeLessThanOrEqual(2);
});
