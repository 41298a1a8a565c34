import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import {
  createAgentKey,
  startTestRelay,
  testDevice,
  type TestRelay,
  type TestRelayChanges,
} from './start-test-relay.ts';
import { lanProxy, TestFrpc, type TestFrpcOptions } from './test-frpc.ts';

export type FrpcHouse = AsyncDisposable & {
  t: TestRelay;
  device: DeviceRoutes;
  token: string;
  /** Connects a frpc of this device and waits until its device is online. */
  connect: (options?: Partial<TestFrpcOptions>) => Promise<TestFrpc>;
  /** Opens a connection without waiting for anything. */
  dial: (options?: Partial<TestFrpcOptions>) => TestFrpc;
  /** Gets a page as a visitor of the host. */
  get: (host: string) => Promise<{ status: number; text: string }>;
  /** What the server's probe of this mapping's target answers. */
  probe: (host: string) => Promise<{ ok: boolean; step: string; seen: string }>;
};

/** A relay with one device that runs a stock frpc, and a mapping for each target. */
export async function openFrpcHouse(
  targets: Record<string, Partial<Route>>,
  { limits = {}, log, changes }: { limits?: Partial<RelayLimits>; log?: Logger; changes?: TestRelayChanges } = {},
): Promise<FrpcHouse> {
  const t = await startTestRelay(limits, log, changes);
  const { publicKey: _none, ...rest } = testDevice(createAgentKey(), {});
  const token = randomBytes(16).toString('hex');
  const routes = Object.entries(targets).flatMap(
    ([host, route]) => testDevice(createAgentKey(), { [host]: 1 }, route).routes,
  );
  const device: DeviceRoutes = { ...rest, frpcToken: token, routes };
  t.server.put(device);
  const opened: TestFrpc[] = [];
  function dial(options: Partial<TestFrpcOptions> = {}): TestFrpc {
    const frpc = new TestFrpc({ port: t.relay.frpPort ?? 0, user: device.uid, token, ...options });
    opened.push(frpc);
    return frpc;
  }
  let correlation = 0;
  return {
    ...{ t, device, token, dial },
    async connect(options = {}) {
      const frpc = dial({ proxies: lanProxy(device.uid), ...options });
      await frpc.waitFor('NewProxyResp', ({ proxy_name: name }) => name.endsWith('.lan'));
      return frpc;
    },
    get: (host) =>
      new Promise((resolve, reject) => {
        request({ port: t.relay.httpPort, host: '127.0.0.1', headers: { host }, agent: false }, (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        })
          .on('error', reject)
          .end();
      }),
    async probe(host) {
      const mappingId = routes.find((route) => route.host === host)?.mappingId ?? 0;
      t.server.send({ type: 'probe', correlation: ++correlation, deviceId: device.deviceId, mappingId });
      const asked = correlation;
      return (await t.server.waitFor('probe_result', (message) => message.correlation === asked)).result;
    },
    async [Symbol.asyncDispose]() {
      for (const frpc of opened) await frpc[Symbol.asyncDispose]();
      await t[Symbol.asyncDispose]();
    },
  };
}
