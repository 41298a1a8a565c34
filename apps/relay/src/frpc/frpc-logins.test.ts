import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { encodeFrpMessage, type Wire } from '@tongtu/frp';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openFrpcHouse } from '../testing/frpc-house.ts';
import { endOf } from '../testing/port-services.ts';
import { startLanService } from '../testing/start-test-relay.ts';
import { lanProxy, TestFrpc } from '../testing/test-frpc.ts';

const page = 'nas.example.test';

test.each<Wire>(['v1', 'v2'])(
  'a refused login says why in the log of frpc, in two languages (wire %s)',
  async (wire) => {
    await using house = await openFrpcHouse({});
    const refusalOf = async (options: Partial<ConstructorParameters<typeof TestFrpc>[0]>) => {
      await using frpc = house.dial({ wire, ...options });
      return (await frpc.waitFor('LoginResp')).error;
    };
    expect(await refusalOf({ user: 'nobody' })).toMatch(/没有这个设备编号.*no device has this user/);
    expect(await refusalOf({ user: '' })).toMatch(/no device has this user/);
    expect(await refusalOf({ token: 'wrong' })).toMatch(/密钥（token）不正确.*the token is wrong/);
    house.t.server.put({ ...house.device, isSuspended: true });
    expect(await refusalOf({})).toMatch(/已被停用.*suspended/);
  },
);

test('the server learns which devices were not let in, and whose they are', async () => {
  await using house = await openFrpcHouse({});
  const { deviceId } = house.device;
  await using unknown = house.dial({ user: 'nobody' });
  await using wrong = house.dial({ token: 'wrong' });
  const plain = connect(house.t.relay.frpPort ?? 0, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\n\r\n'));
  plain.on('error', () => {}).resume();
  const scan = connectTls({ port: house.t.relay.tunnelPort, rejectUnauthorized: false }, () => scan.destroy());
  const astray = connectTls({ port: house.t.relay.tlsPort, rejectUnauthorized: false, servername: 'frp.wrong.test' });
  const closed = new Promise((resolve) => plain.once('close', resolve));
  await Promise.all([closed, once(scan, 'close'), once(astray, 'secureConnect')]);
  await Promise.all([unknown, wrong].map((frpc) => frpc.waitFor('LoginResp')));
  astray.destroy();

  const ip = '127.0.0.1';
  for (const attempt of [
    { kind: 'frpc_unknown', ip },
    { kind: 'frpc_token', ip, deviceId },
    { kind: 'frpc_no_tls', ip },
    { kind: 'broken_off', ip },
    { kind: 'name_unknown', ip },
  ]) {
    const seen = await house.t.server.waitFor('device_attempts', ({ attempts }) =>
      attempts.some(({ kind }) => kind === attempt.kind),
    );
    expect(seen.attempts.find(({ kind }) => kind === attempt.kind)).toEqual(attempt);
  }
});

test('a replaced secret and a removed device end the connection', async () => {
  await using house = await openFrpcHouse({});
  await using first = await house.connect();
  house.t.server.put({ ...house.device, frpcToken: 'another' });
  await first.waitClosed();
  await using second = await house.connect({ token: 'another' });
  house.t.server.remove(house.device.deviceId);
  await second.waitClosed();
});

test('of two frpc with the same configuration the first stays, as long as it answers', async () => {
  await using house = await openFrpcHouse({});
  await using first = await house.connect();
  await using second = house.dial();
  expect((await second.waitFor('LoginResp')).error).toMatch(/另一个 frpc.*another frpc is online/);
  expect(first.isClosed).toBe(false);
});

test('frpc takes the place of its own lost connection', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } });
  await using first = await house.connect();
  await using same = await house.connect({ runId: first.runId });
  expect(same.runId).not.toBe(first.runId);
  await first.waitClosed();
  expect((await house.get(page)).status).toBe(200);
});

test('proxies of other kinds are refused, each with the reason, and the connection stays', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } });
  const { uid } = house.device;
  const kinds = ['http', 'https', 'tcpmux', 'stcp', 'sudp', 'xtcp', 'unheard-of'];
  const refused = [
    ...kinds.map((kind) => ({ proxy_name: `${uid}.${kind}`, proxy_type: kind })),
    { proxy_name: `${uid}.ssh`, proxy_type: 'tcp', remote_port: 6000 },
    { proxy_name: `other.lan`, proxy_type: 'tcp' },
    { proxy_name: `${uid}.dns`, proxy_type: 'udp' },
  ];
  await using frpc = await house.connect({ proxies: [...refused, ...lanProxy(uid)] });
  for (const { proxy_name: name } of refused) {
    const { error } = await frpc.waitFor('NewProxyResp', (answer) => answer.proxy_name === name);
    expect(error, name).toMatch(/[\u4e00-\u9fff].* \/ [A-Za-z]/);
  }
  expect((await house.get(page)).status).toBe(200);
});

test('a frpc that visits another frpc is refused with the reason, and its own proxies work on', async () => {
  await using house = await openFrpcHouse({});
  await using frpc = await house.connect();
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const stream = frpc.mux.openStream({ ...silent, onData: resolve });
  stream.write(encodeFrpMessage('v1', 'NewVisitorConn', { proxy_name: 'x.secret' }));
  expect((await promise).toString()).toMatch(/没有这个 stcp 代理.*no such stcp proxy/);
  frpc.send('NatHoleVisitor', { transaction_id: 'x7' });
  expect(await frpc.waitFor('NatHoleResp')).toMatchObject({
    transaction_id: 'x7',
    error: expect.stringMatching(/不支持 xtcp.*not supported/),
  });
  await frpc.mux.ping();
  expect(frpc.isClosed).toBe(false);
});

test('pings are answered, whatever the version', async () => {
  await using house = await openFrpcHouse({});
  await using frpc = await house.connect();
  frpc.send('Ping', {});
  await frpc.waitFor('Pong');
});

test('a relay that stops does not announce it to frpc, which would never connect again', async () => {
  let answer: (() => void) | undefined;
  await using lan = await startLanService((_request, response) => (answer = () => response.end('late')));
  const limits = { drainMs: 10_000 };
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } }, { limits });
  await using frpc = await house.connect();
  const visit = house.get(page);
  while (answer === undefined) await new Promise(setImmediate);

  const stopped = house.t.relay.handOver();
  await frpc.mux.ping();
  expect(frpc.mux.isPeerGoingAway).toBe(false);
  answer();
  expect((await visit).text).toBe('late');
  await stopped;
});

const giant = Buffer.from('6f0000000000a00000', 'hex');

test.each<[string, (frpc: TestFrpc) => void]>([
  ['a giant message', (frpc) => frpc.sendSealed(giant)],
  ['a message of an unknown type', (frpc) => frpc.sendSealed(Buffer.from('Z'))],
  [
    'a stream that begins with another message',
    (frpc) => frpc.mux.openStream(silent).write(encodeFrpMessage('v1', 'Ping', {})),
  ],
  ['a second login', (frpc) => frpc.mux.openStream(silent).write(encodeFrpMessage('v1', 'Login', {}))],
  ['a stream that is no frp', (frpc) => frpc.mux.openStream(silent).write(Buffer.from('FRPGARBAGE'))],
])('%s ends the connection, with one line in the log', async (_name, send) => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await using house = await openFrpcHouse({}, { log });
  await using frpc = await house.connect();
  send(frpc);
  await frpc.waitClosed();
  expect(lines).toMatchObject([{ msg: 'a connection for frpc broke the protocol' }]);
});

test('a control stream in another cipher ends the connection', async () => {
  await using house = await openFrpcHouse({});
  for (const wire of ['v1', 'v2'] as const) {
    await using frpc = house.dial({ wire, cipherToken: 'another' });
    await frpc.waitClosed();
  }
});

test('what is not TLS is refused at both ports', async () => {
  await using house = await openFrpcHouse({});
  const login = encodeFrpMessage('v1', 'Login', { user: house.device.uid });
  for (const bytes of [Buffer.concat([Buffer.alloc(12), login]), login, Buffer.from('GET / HTTP/1.1\r\n\r\n')]) {
    const socket = connect(house.t.relay.frpPort ?? 0, '127.0.0.1');
    socket.write(bytes);
    expect(['ended', 'ECONNRESET']).toContain(await endOf(socket));
  }
  await house.connect();
});

test('10 000 work connections that nobody asked for are reset, and cost other devices nothing', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } });
  await using frpc = await house.connect();
  for (let i = 0; i < 10_000; i++) {
    frpc.openWork(i % 2 === 0 ? frpc.runId : 'the run of another device');
    if (i % 1_000 === 0) await frpc.mux.ping();
  }
  while (frpc.mux.streamCount > 12) await new Promise(setImmediate);
  expect((await house.get(page)).status).toBe(200);
});

test('before its login frpc opens one stream', async () => {
  await using house = await openFrpcHouse({});
  await using frpc = house.dial({ token: 'wrong', opensWork: false });
  for (let i = 0; i < 100; i++) frpc.openWork('x');
  await frpc.waitClosed();
  expect(frpc.messages).toMatchObject([{ type: 'LoginResp' }]);
});

const silent = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
