import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAgentKey, testDevice } from '../testing/start-test-relay.ts';
import { RouteTable } from './route-table.ts';

test('an error of the listener over one device stops neither events nor routes of other devices', () => {
  const routes = new RouteTable('http://localhost:8080', pino({ level: 'silent' }));
  const device = (host: string) => testDevice(createAgentKey(), { [host]: 1 });
  const [bad, good] = [device('bad.localhost'), device('good.localhost')];
  const settings = { gateKey: 'AAAA', consoleUrl: 'http://localhost:8080' };
  routes.replaceAll({ ...settings, devices: [bad, good] });
  const events: string[] = [];
  routes.listener = {
    onDeviceChanged({ deviceId }) {
      if (deviceId === bad.deviceId) throw new Error('a mistake');
      events.push(`changed ${deviceId}`);
    },
    onDeviceRemoved(deviceId) {
      if (deviceId === bad.deviceId) throw new Error('a mistake');
      events.push(`removed ${deviceId}`);
    },
  };
  routes.replaceAll({ ...settings, devices: [{ ...bad }, { ...good }] });
  expect([routes.findRoute('bad.localhost'), routes.findRoute('good.localhost')]).toMatchObject([{}, {}]);
  routes.replaceAll({ ...settings, devices: [] });
  expect(events).toEqual([`changed ${good.deviceId}`, `removed ${good.deviceId}`]);
  expect([routes.findRoute('bad.localhost'), routes.findRoute('good.localhost')]).toEqual([undefined, undefined]);
});

test('the table always knows whether any host has TLS passthrough', () => {
  const routes = new RouteTable('http://localhost:8080', pino({ level: 'silent' }));
  const key = createAgentKey();
  const first = testDevice(key, { 'a.example': 1 }, { kind: 'https', tlsPassthrough: true });
  expect(routes.hasPassthrough).toBe(false);
  routes.putDevice(first);
  expect(routes.hasPassthrough).toBe(true);
  // The host now belongs to another device, so removing the first one does not remove it.
  const second = testDevice(createAgentKey(), { 'a.example': 1 }, { kind: 'https', tlsPassthrough: true });
  routes.putDevice(second);
  routes.removeDevice(first.deviceId);
  expect(routes.hasPassthrough).toBe(true);
  routes.putDevice({ ...second, routes: second.routes.map((route) => ({ ...route, tlsPassthrough: false })) });
  expect(routes.hasPassthrough).toBe(false);
  routes.putDevice(second);
  routes.putDevice({ ...second, routes: [] });
  expect(routes.hasPassthrough).toBe(false);
});

test('a wildcard covers what has no mapping of its own, except below a domain of another owner', () => {
  const routes = new RouteTable('http://localhost:8080', pino({ level: 'silent' }));
  const ofUser = (userId: number, ...hosts: string[]) => {
    const targets = Object.fromEntries(hosts.map((host) => [host, 1]));
    return { ...testDevice(createAgentKey(), targets), userId };
  };
  const settings = { gateKey: 'AAAA', consoleUrl: 'http://localhost:8080' };
  const whole = ofUser(1, '*.example.com', 'blog.example.com');
  routes.putDevice(whole);
  expect(routes.findRoute('a.example.com'), 'before the first snapshot').toBeUndefined();
  routes.replaceAll({ ...settings, devices: [whole] });
  routes.putDevice(ofUser(2, 'shop.example.com'));
  const hostOf = (host: string) => routes.findRoute(host)?.route.host;
  expect(['a.example.com', 'a.blog.example.com', 'shop.example.com'].map(hostOf)).toEqual([
    ...['*.example.com', '*.example.com', 'shop.example.com'],
  ]);
  expect(['a.shop.example.com', 'example.com', 'a.example.org'].map(hostOf)).toEqual([undefined, undefined, undefined]);
  routes.replaceAll({ ...settings, devices: [whole], keptDeviceIds: [whole.deviceId + 100] });
  expect(['a.example.com', 'blog.example.com'].map(hostOf)).toEqual([undefined, 'blog.example.com']);
  routes.replaceAll({ ...settings, devices: [whole] });
  expect(hostOf('a.example.com')).toBe('*.example.com');
  // Those of the same length, also when they come again.
  const other = ofUser(1, '*.example.net');
  for (const device of [other, whole, other]) routes.putDevice(device);
  routes.removeDevice(whole.deviceId);
  expect(['a.example.com', 'a.example.net'].map(hostOf)).toEqual([undefined, '*.example.net']);
  routes.removeDevice(other.deviceId);
  expect(hostOf('a.example.net')).toBeUndefined();
});

test('what has moved to another device stays with it when the former device is removed', () => {
  const routes = new RouteTable('http://localhost:8080', pino({ level: 'silent' }));
  const apps = [{ appId: 70, targetHost: '192.168.1.10', targetPort: 22 }];
  const lost = { ...testDevice(createAgentKey(), { 'nas.localhost': 1 }), apps };
  const successor = testDevice(createAgentKey(), {});
  routes.putDevice(lost);
  routes.putDevice(successor);
  routes.putDevice({ ...successor, routes: lost.routes, apps });
  routes.removeDevice(lost.deviceId);
  expect(routes.findRoute('nas.localhost')?.owner.device.deviceId).toBe(successor.deviceId);
  expect(routes.findApp(70)?.owner.device.deviceId).toBe(successor.deviceId);
});
