import { request } from 'node:http';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import type { FrpFields } from '@tongtu/frp';
import type { RelayLimits } from '../config/relay-limits.ts';
import { type FrpcHouse, openFrpcHouse } from './frpc-house.ts';
import { createAgentKey, testDevice, type TestRelayChanges } from './start-test-relay.ts';

/** Beyond the ids that `testDevice` counts up to. */
export const tomlDeviceId = 1_000_000;

export const tomlUser = 'tt-0123456789.office';

export type TomlHouse = FrpcHouse & { device: DeviceRoutes };

/** A server that makes a device of the login, and the given routes of the proxies; a name is the proxy whose route another shares. */
export async function openTomlHouse(
  routes: Record<string, Partial<Route> | string>,
  options: { limits?: Partial<RelayLimits>; changes?: TestRelayChanges } = {},
): Promise<TomlHouse> {
  const house = await openFrpcHouse({}, options);
  const { frpcToken: token = '', ...rest } = house.device;
  const device: DeviceRoutes = {
    ...rest,
    deviceId: tomlDeviceId,
    uid: 'c'.repeat(12),
    frpcToken: token,
    frpcLogin: tomlUser,
    routes: [],
  };
  let current = device;
  house.t.server.handlers.frpcLogin = (login) => (login.user === tomlUser ? current : 'frpc.login-unknown');
  house.t.server.handlers.frpcProxy = ({ proxy }) => {
    const given = routes[proxy.name];
    if (given === undefined) return 'mapping.prefix-taken';
    const name = typeof given === 'string' ? given : proxy.name;
    const wanted = routes[name];
    if (typeof wanted !== 'object' || current.routes.some(({ frpcProxy }) => frpcProxy === name)) return current;
    const { host = '' } = wanted;
    const [route] = testDevice(createAgentKey(), { [host]: 1 }, { ...wanted, frpcProxy: name }).routes;
    current = { ...current, routes: [...current.routes, route!] };
    return current;
  };
  return { ...house, device };
}

export function tomlProxy(
  name: string,
  type: string,
  more: Partial<FrpFields<'NewProxy'>> = {},
): FrpFields<'NewProxy'> {
  return { proxy_name: `${tomlUser}.${name}`, proxy_type: type, ...more };
}

export type Seen = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

/** Makes a request, of a visitor without cookies, to a relay's HTTP port. */
export function visitAt(
  port: number,
  host: string,
  { path = '/', headers = {}, login }: { path?: string; headers?: Record<string, string>; login?: string } = {},
): Promise<Seen> {
  const authorization = login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, headers: { host, ...authorization, ...headers }, agent: false };
    request(options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    })
      .on('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, text: '', headers: response.headers });
      })
      .on('error', reject)
      .end();
  });
}
