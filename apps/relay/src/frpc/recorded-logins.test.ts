import { encodeFrpMessage, type Wire } from '@tongtu/frp';
import { expect, test } from 'vitest';
import { type FrpcHouse, openFrpcHouse } from '../testing/frpc-house.ts';
import { startLanService } from '../testing/start-test-relay.ts';
import { nextLoginTime, type TestFrpc } from '../testing/test-frpc.ts';

const page = 'nas.example.test';
const wires: [recorded: Wire, sent: Wire][] = [
  ['v1', 'v1'],
  ['v2', 'v2'],
  ['v2', 'v1'],
  ['v1', 'v2'],
];
/** Knows a login that it has seen, and not the token. */
const robber = { cipherToken: 'unknown to the robber', proxies: [], isDeaf: true };

async function errorOf(frpc: TestFrpc): Promise<string> {
  return (await frpc.waitFor('LoginResp')).error;
}

/** Longer than the relay waits for proxies. */
async function serves(house: FrpcHouse, device: TestFrpc): Promise<void> {
  await device.mux.ping();
  expect(device.isClosed).toBe(false);
  expect((await house.get(page)).status).toBe(200);
}

test.each(wires)(
  'a login recorded by wire %s is refused when sent again by %s, whatever its run id',
  async (recorded, sent) => {
    await using lan = await startLanService((_request, response) => response.end('ok'));
    await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } });
    const timestamp = nextLoginTime();
    await using device = await house.connect({ wire: recorded, timestamp });
    for (const runId of [undefined, '', device.runId, 'another']) {
      const again = { ...robber, wire: sent, timestamp, ...(runId !== undefined && { runId }) };
      expect(await errorOf(house.dial(again))).toMatch(/登录的时间不比上一次新.*not later than/);
    }
    await serves(house, device);
    await device[Symbol.asyncDispose]();
    expect(await errorOf(house.dial({ ...robber, wire: sent, timestamp }))).toMatch(/not later than/);
  },
);

test('a login that was recorded before the last one and never sent is refused', async () => {
  await using house = await openFrpcHouse({});
  const withheld = nextLoginTime();
  await using device = await house.connect();
  expect(await errorOf(house.dial({ ...robber, timestamp: withheld, runId: device.runId }))).toMatch(/not later than/);
  expect(device.isClosed).toBe(false);
});

test('a login that was refused for another reason cannot be sent again once the reason has passed', async () => {
  await using house = await openFrpcHouse({});
  await using device = await house.connect();
  const timestamp = nextLoginTime();
  expect(await errorOf(house.dial({ timestamp }))).toMatch(/another frpc is online/);
  await device[Symbol.asyncDispose]();
  expect(await errorOf(house.dial({ ...robber, timestamp }))).toMatch(/not later than/);
});

test('of two equal logins at once one is accepted', async () => {
  await using house = await openFrpcHouse({});
  const timestamp = nextLoginTime();
  const errors = await Promise.all([1, 2, 3, 4].map(() => errorOf(house.dial({ timestamp }))));
  expect(errors.filter((error) => error === '')).toHaveLength(1);
});

test('a clock that is more than five minutes wrong is said in the log of frpc and reported, and the right time works', async () => {
  await using house = await openFrpcHouse({});
  const now = Math.floor(Date.now() / 1_000);
  for (const timestamp of [0, 7, 978_307_200, now - 400, now + 400, 4_102_444_800])
    expect(await errorOf(house.dial({ timestamp })), String(timestamp)).toMatch(/时钟不准.*NTP.*turn on NTP/);
  const { deviceId } = house.device;
  // Those whose time is still to come are used up before.
  const ahead = [now + 400, 4_102_444_800].map((timestamp) =>
    expect.objectContaining({ deviceId, timestamp, isAhead: true }),
  );
  const claims = () => house.t.server.received.filter(({ type }) => type === 'frpc_claim');
  expect(claims()).toEqual(ahead);
  const { attempts } = await house.t.server.waitFor('device_attempts');
  expect(attempts).toEqual([{ kind: 'frpc_clock', ip: '127.0.0.1', deviceId }]);
  await house.connect();
  expect(claims()).toHaveLength(3);
});

test('a clock that was set back by minutes is reported', async () => {
  await using house = await openFrpcHouse({});
  const now = Math.floor(Date.now() / 1_000);
  await using device = await house.connect({ timestamp: now });
  await device[Symbol.asyncDispose]();
  expect(await errorOf(house.dial({ timestamp: now - 200 }))).toMatch(/not later than/);
  const { attempts } = await house.t.server.waitFor('device_attempts');
  expect(attempts).toEqual([{ kind: 'frpc_clock', ip: '127.0.0.1', deviceId: house.device.deviceId }]);
});

test('by wire v2 a device without a clock works, again and again, because it proves its token anew each time', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort: lan.port } });
  for (let i = 0; i < 3; i++) {
    await using device = await house.connect({ wire: 'v2', timestamp: 7 });
    await serves(house, device);
    await using replayed = house.dial({ ...robber, wire: 'v2', timestamp: 7, runId: device.runId });
    await replayed.waitFor('LoginResp');
    // Its work connections and what it says in another cipher lead nowhere.
    for (let n = 0; n < 4; n++) replayed.openWork(replayed.runId);
    await replayed.mux.ping();
    await serves(house, device);
    replayed.sendSealed(encodeFrpMessage('v2', 'Ping', {}));
    await replayed.waitClosed();
    await serves(house, device);
  }
  expect(await errorOf(house.dial({ ...robber, wire: 'v1', timestamp: 7 }))).toMatch(/turn on NTP/);
});

test('by wire v2 a clock that is ahead works as long as the server uses its logins up', async () => {
  await using house = await openFrpcHouse({});
  const ahead = { wire: 'v2' as const, timestamp: 4_102_444_800 };
  const device = await house.connect(ahead);
  await device[Symbol.asyncDispose]();
  expect(house.t.server.received.find(({ type }) => type === 'frpc_claim')).toMatchObject({ isAhead: true });
  house.t.server.handlers.frpcClaim = () => 'frpc.clock-ahead';
  expect(await errorOf(house.dial(ahead))).toMatch(/turn on NTP/);
});

test('a login by wire v2 that proves nothing does not replace a device, and ends if its time is wrong', async () => {
  const limits = { loginTimeoutMs: 300 };
  await using house = await openFrpcHouse({}, { limits });
  await using device = await house.connect();
  await using stale = house.dial({ ...robber, wire: 'v2', timestamp: 7, runId: device.runId });
  await stale.waitClosed();
  expect(device.isClosed).toBe(false);
  expect(stale.messages).toMatchObject([{ type: 'LoginResp', error: '' }]);
});

test('a login by wire v2 that was kept back, and comes first, does not keep the device out', async () => {
  await using house = await openFrpcHouse({});
  await using robbed = house.dial({ ...robber, wire: 'v2' });
  await robbed.waitFor('LoginResp');
  // Without a proxy it is online after a while, as nobody else is.
  await house.t.server.waitFor('presence');
  await using device = await house.connect({ wire: 'v2' });
  await robbed.waitClosed();
  expect(device.isClosed).toBe(false);
});

test('the server learns that a device has proven wire v2', async () => {
  await using house = await openFrpcHouse({});
  await using device = await house.connect({ wire: 'v2' });
  await device.mux.ping();
  expect(await house.t.server.waitFor('frpc_proven')).toEqual({ type: 'frpc_proven', deviceId: house.device.deviceId });
});

test('what the server refuses is said in the log of frpc', async () => {
  await using house = await openFrpcHouse({});
  house.t.server.handlers.frpcClaim = () => 'frpc.wire-v1';
  expect(await errorOf(house.dial())).toMatch(/不能退回 v1.*may not fall back to v1/);
});

test('while the server is away a device comes back, and a recorded login does not', async () => {
  await using house = await openFrpcHouse({});
  const { server } = house.t;
  const timestamp = nextLoginTime();
  await using first = await house.connect({ timestamp });
  server.isAway = true;
  server.dropRelay();
  await server.relayTurnedAway();
  await first[Symbol.asyncDispose]();
  expect(await errorOf(house.dial({ ...robber, timestamp }))).toMatch(/not later than/);
  const alone = nextLoginTime();
  await using second = await house.connect({ timestamp: alone });
  expect(await errorOf(house.dial({ ...robber, timestamp: alone, runId: second.runId }))).toMatch(/not later than/);
  server.isAway = false;
  await server.waitFor('frpc_claim', (claim) => claim.timestamp === alone);
  expect(second.isClosed).toBe(false);
});

test('a device that has proven wire v2 while the server was away is not taken over by v1, and the server learns it', async () => {
  await using house = await openFrpcHouse({});
  const { server } = house.t;
  await using first = await house.connect();
  server.isAway = true;
  server.dropRelay();
  await server.relayTurnedAway();
  await first[Symbol.asyncDispose]();
  await using device = await house.connect({ wire: 'v2' });
  expect(await errorOf(house.dial({ ...robber, runId: device.runId }))).toMatch(/may not fall back to v1/);
  expect(device.isClosed).toBe(false);
  server.isAway = false;
  await server.waitFor('frpc_proven');
});

test('without the server a device that this relay does not know yet waits for it', async () => {
  await using house = await openFrpcHouse({});
  const { server } = house.t;
  server.isAway = true;
  server.dropRelay();
  await server.relayTurnedAway();
  expect(await errorOf(house.dial())).toMatch(/服务器正在启动/);
});
