import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { endOf, startTcpService, visitPort } from '../testing/port-services.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';
import { realClientHello } from '../testing/clients/client-hello-bytes.ts';

test('one address has one limit for connections of all kinds', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const port = await freePort();
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay({ maxConnectionsPerVisitorIp: 3 }, log);
  const [http, passthrough, tcp] = [createAgentKey(), createAgentKey(), createAgentKey()];
  await t.connectDevice(testDevice(http, { 'nas.localhost': service.port }), http);
  const unread = { kind: 'https', tlsPassthrough: true } as const;
  await t.connectDevice(testDevice(passthrough, { 'home.example': service.port }, unread), passthrough);
  await t.connectDevice(testDevice(tcp, { '': service.port }, { kind: 'tcp', port }), tcp);

  await using overHttp = openRawClient(t.relay.httpPort);
  overHttp.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await overHttp.until(/console:/);
  await using unreadVisitor = openRawClient(t.relay.tlsPort);
  unreadVisitor.socket.write(await realClientHello({ servername: 'home.example' }));
  await unreadVisitor.until(/hello/);
  const overTcp = await visitPort(port);
  await once(overTcp, 'data');

  expect(lines).toEqual([]);
  await using tooMany = openRawClient(t.relay.httpPort);
  expect(await tooMany.untilEnd()).toMatch(/^HTTP\/1\.1 429 /);
  await expect(tlsVisit(t.relay.tlsPort, 'localhost')).rejects.toThrow();
  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');

  overTcp.resetAndDestroy();
  const served = async () => {
    await using again = openRawClient(t.relay.httpPort);
    again.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return await again.untilEnd();
  };
  await expect.poll(served).toMatch(/^HTTP\/1\.1 200 /);
});

test('TLS passthrough visitors over their limit are refused with an alert, and that is logged', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using service = await startTcpService((socket) => socket.write('hello'));
  await using t = await startTestRelay({ maxConnectionsPerVisitorIp: 1 }, log);
  const key = createAgentKey();
  const route = { kind: 'https', tlsPassthrough: true } as const;
  await t.connectDevice(testDevice(key, { 'home.example': service.port }, route), key);
  const hello = await realClientHello({ servername: 'home.example' });
  // Both pass the listener's limit before either has sent its SNI.
  const visitors = [openRawClient(t.relay.tlsPort), openRawClient(t.relay.tlsPort)] as const;
  await Promise.all(visitors.map(({ socket }) => once(socket, 'connect')));
  await using other = new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1', localAddress: '127.0.0.7' }));
  other.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await other.untilEnd();
  for (const { socket } of visitors) socket.write(hello);
  const answers = await Promise.all(visitors.map((visitor) => visitor.until(/^[^]{5}/)));
  // One is let in, the other gets the fatal alert internal_error.
  expect(answers.toSorted()).toEqual(['\x15\x03\x03\x00\x02\x02\x50', 'hello']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ip: '127.0.0.1', at: 'passthrough' }]);
  for (const visitor of visitors) visitor.socket.destroy();
});
