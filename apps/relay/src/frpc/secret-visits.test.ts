import { randomBytes } from 'node:crypto';
import { freePort } from '@tongtu/base/testing/free-port';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import {
  encodeFrpMessage,
  type FrpFields,
  FrpMessageDecoder,
  type FrpMessageOf,
  loginKey,
  V2_MAGIC,
  type Wire,
  WorkCodec,
} from '@tongtu/frp';
import { expect, test } from 'vitest';
import { startTcpService } from '../testing/port-services.ts';
import type { TestFrpc } from '../testing/test-frpc.ts';
import { openTomlHouse, tomlDeviceId, tomlProxy, tomlUser } from '../testing/toml-house.ts';

const key = '钥匙';
const laptop = 'tt-0123456789.laptop';
const other = 'tt-9999999999';
const userId = 5;
const limits = { usageReportMs: 20, visitReportMs: 20 };
const bytes = randomBytes(300_000);

type VisitOptions = {
  name?: string;
  key?: string;
  wire?: Wire;
  coding?: { isEncrypted: boolean; isCompressed: boolean };
};
type Visit = { answer: FrpMessageOf<'NewVisitorConnResp'>; send: (data: Buffer) => void; end: () => void };

/** What frpc does for each connection to a stcp visitor. `onPlain` gets what comes back; it ends with undefined. */
async function visit(
  frpc: TestFrpc,
  { name = `${tomlUser}.ssh`, key: secret = key, wire = 'v1', coding }: VisitOptions,
  onPlain: (plain: Buffer | undefined) => void = () => {},
): Promise<Visit> {
  const { promise, resolve } = Promise.withResolvers<Visit['answer']>();
  const codec = coding && new WorkCodec({ token: secret, ...coding });
  let pending: Buffer | undefined = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    if (codec === undefined) return onPlain(chunk);
    codec.push(chunk);
    for (let next = codec.next(); next !== undefined; next = codec.next()) onPlain(next.plain);
  };
  const stream = frpc.mux.openStream({
    onData(chunk) {
      stream.consumed(chunk.length);
      if (pending === undefined) return take(chunk);
      pending = Buffer.concat([pending, chunk]);
      const [head, lengthAt] = wire === 'v1' ? [9, 5] : [8, 4];
      const end = pending.length < head ? Infinity : head + pending.readUInt32BE(lengthAt);
      if (pending.length < end) return;
      const [answer] = new FrpMessageDecoder(wire).push(pending.subarray(0, end));
      const rest = pending.subarray(end);
      pending = undefined;
      if (answer?.type === 'NewVisitorConnResp') resolve(answer);
      if (rest.length > 0) take(rest);
    },
    onEnd: () => onPlain(undefined),
    onReset: () => onPlain(undefined),
    onDrain() {},
  });
  const message = encodeFrpMessage(wire, 'NewVisitorConn', {
    ...{ proxy_name: name, sign_key: loginKey(secret, 7), timestamp: 7 },
    ...{ use_encryption: coding?.isEncrypted ?? false, use_compression: coding?.isCompressed ?? false },
  });
  stream.write(wire === 'v2' ? Buffer.concat([V2_MAGIC, message]) : message);
  const send = (data: Buffer) => void stream.write(codec?.encode(data) ?? data);
  return { answer: await promise, send, end: () => stream.end() };
}

/** An account with a stcp proxy, another frpc of it, and a frpc of another account. */
async function openAccounts(
  {
    wire = 'v1',
    route = {},
    proxy = {},
  }: { wire?: Wire; route?: Partial<Route>; proxy?: Partial<FrpFields<'NewProxy'>> } = {},
  onSocket?: Parameters<typeof startTcpService>[0],
) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startTcpService(onSocket));
  const port = await freePort();
  const house = stack.use(await openTomlHouse({ ssh: { kind: 'tcp', port, policy: 'owner', ...route } }, { limits }));
  const { frpcLogin } = house.t.server.handlers;
  const withOwner = (device: DeviceRoutes): DeviceRoutes => ({ ...device, userId });
  const guest = { ...house.device, routes: [] };
  house.t.server.handlers.frpcLogin = (login) => {
    if (login.user === laptop)
      return { ...guest, deviceId: tomlDeviceId + 1, uid: 'd'.repeat(12), frpcLogin: laptop, userId };
    if (login.user === other)
      return { ...guest, deviceId: tomlDeviceId + 2, uid: 'e'.repeat(12), frpcLogin: other, userId: 6 };
    const device = frpcLogin(login);
    return typeof device === 'string' ? device : withOwner(device);
  };
  const { frpcProxy } = house.t.server.handlers;
  house.t.server.handlers.frpcProxy = (request) => {
    const device = frpcProxy(request);
    return typeof device === 'string' ? device : withOwner(device);
  };
  const home = house.dial({
    ...{ wire, user: tomlUser },
    proxies: [tomlProxy('ssh', 'stcp', { sk: key, ...proxy })],
    localPorts: { [`${tomlUser}.ssh`]: service.port },
  });
  expect((await home.waitFor('NewProxyResp')).error).toBe('');
  const logIn = async (user: string) => {
    const frpc = house.dial({ wire, user, proxies: [] });
    await frpc.waitFor('LoginResp');
    return frpc;
  };
  const opened = stack.move();
  return { house, home, service, logIn, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test.each([
  ['v1', undefined],
  ['v2', { isEncrypted: true, isCompressed: false }],
  ['v2', { isEncrypted: true, isCompressed: true }],
] as const)('a stcp visitor of the account reaches the proxy (wire %s, %j)', async (wire, coding) => {
  await using accounts = await openAccounts({ wire }, (socket) => socket.pipe(socket));
  const { house, home, logIn } = accounts;
  const frpc = await logIn(laptop);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const received: Buffer[] = [];
  const opened = await visit(frpc, { wire, ...(coding && { coding }) }, (plain) => {
    if (plain !== undefined) received.push(plain);
    const all = Buffer.concat(received);
    if (all.length >= bytes.length || plain === undefined) resolve(all);
  });
  expect(opened.answer).toMatchObject({ proxy_name: `${tomlUser}.ssh`, error: '' });
  opened.send(bytes);
  expect((await promise).equals(bytes)).toBe(true);
  expect(home.starts.at(-1)).toMatchObject({ src_addr: '127.0.0.1', dst_port: house.t.relay.frpPort });

  const mappingId = house.t.server.devices.get(tomlDeviceId)?.routes[0]?.mappingId;
  const counted = () => {
    // A report is repeated until the server has stored it.
    const bySequence = new Map(
      house.t.server.received.flatMap((message) => (message.type === 'usage' ? [[message.sequence, message]] : [])),
    );
    const reports = [...bySequence.values()].flatMap(({ entries }) => entries);
    const own = reports.filter((entry) => entry.mappingId === mappingId);
    const sum = (of: (entry: (typeof own)[number]) => number) => own.reduce((total, entry) => total + of(entry), 0);
    return {
      in: sum(({ bytesIn }) => bytesIn),
      out: sum(({ bytesOut }) => bytesOut),
      of: sum(({ requests }) => requests),
    };
  };
  await house.t.server.waitFor('usage', () => counted().out >= bytes.length);
  expect(counted()).toEqual({ in: bytes.length, out: bytes.length, of: 1 });
});

test('a wrong key, another name and another account are refused in words, and after twenty wrong keys each try', async () => {
  await using accounts = await openAccounts();
  const { logIn, service } = accounts;
  const [frpc, foreign] = [await logIn(laptop), await logIn(other)];
  const refusal = async (visitor: TestFrpc, options: VisitOptions) => (await visit(visitor, options)).answer.error;
  expect(await refusal(foreign, {})).toMatch(/没有这个 stcp 代理.*no such stcp proxy/);
  for (const name of [`${tomlUser}.other`, `${laptop}.ssh`, 'ssh', 'a.b.c.ssh'])
    expect(await refusal(frpc, { name }), name).toMatch(/没有这个 stcp 代理.*no such stcp proxy/);
  for (let tries = 0; tries < 20; tries++)
    expect(await refusal(frpc, { key: 'wrong' })).toMatch(/secretKey 不正确.*secretKey is wrong/);
  expect(await refusal(frpc, {})).toMatch(/过多.*too many/);
  expect(service.sockets).toEqual([]);
});

test('allowUsers, and what closes a mapping, are kept', async () => {
  const proxy = { allow_users: [`${tomlUser}2`] };
  await using accounts = await openAccounts({ proxy, route: { visitLogDays: 1 } });
  const { house, home, logIn } = accounts;
  const frpc = await logIn(laptop);
  const answer = async () => (await visit(frpc, {})).answer.error;
  expect(await answer()).toMatch(/allowUsers 里没有 tt-0123456789\.laptop.*not in allowUsers/);
  const again = async (users: string[]) => {
    home.send('CloseProxy', { proxy_name: `${tomlUser}.ssh` });
    home.send('NewProxy', tomlProxy('ssh', 'stcp', { sk: key, allow_users: users }));
    const count = () => home.messages.filter(({ type }) => type === 'NewProxyResp').length;
    const before = count();
    while (count() === before) await home.changed();
  };
  await again(['*']);
  expect(await answer()).toBe('');
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  await visit(frpc, {}, (plain) => plain === undefined && resolve());
  const device = house.t.server.devices.get(tomlDeviceId);
  if (device !== undefined) house.t.server.put({ ...device, enabled: false });
  await cut;
  await house.t.server.waitFor('visits', ({ records }) => records.some(({ reason }) => reason === 'revoked'));
  expect(await answer()).toMatch(/设备已停用.*device-disabled/);
  await house.t.server.waitFor('visits', ({ records }) => records.some(({ reason }) => reason === 'device-disabled'));
  const reports = house.t.server.received.flatMap((message) => (message.type === 'visits' ? message.records : []));
  const whoOf = (wanted: string) => {
    const { grounds, whoName } = reports.find(({ reason }) => reason === wanted) ?? {};
    return [grounds, whoName];
  };
  expect([whoOf('revoked'), whoOf('device-disabled')]).toEqual([
    ['owner', laptop],
    ['none', undefined],
  ]);
});
