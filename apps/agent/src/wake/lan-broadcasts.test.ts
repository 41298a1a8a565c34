import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { lanBroadcasts } from './lan-broadcasts.ts';

function info(cidr: string, { internal = false } = {}): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  return { address, cidr, netmask: '', mac: '', family: 'IPv4', internal };
}

test.each([
  ['192.168.1.20/24', '192.168.1.255'],
  ['10.1.2.3/8', '10.255.255.255'],
  ['172.16.5.130/25', '172.16.5.255'],
  ['192.168.1.2/30', '192.168.1.3'],
])('the network of %s is reached at %s', (cidr, broadcast) => {
  expect(lanBroadcasts({ eth0: [info(cidr)] })).toEqual([{ address: cidr.split('/')[0], broadcast }]);
});

test('public, internal and point-to-point networks are left out, and those of IPv6', () => {
  const v6 = { address: 'fd00::2', cidr: 'fd00::2/64', netmask: '', mac: '', scopeid: 0, internal: false } as const;
  const interfaces = {
    lo: [info('127.0.0.1/8', { internal: true })],
    wan: [info('203.0.113.7/24')],
    tun: [info('10.8.0.6/32'), info('10.9.0.6/31')],
    broken: [{ ...info('192.168.9.1/24'), cidr: null }],
    eth0: [{ ...v6, family: 'IPv6' as const }, info('192.168.1.20/24')],
    none: undefined,
  };
  expect(lanBroadcasts(interfaces)).toEqual([{ address: '192.168.1.20', broadcast: '192.168.1.255' }]);
});

test('the number of networks is limited', () => {
  const many = Array.from({ length: 100 }, (_, index) => info(`10.0.${index}.1/24`));
  expect(lanBroadcasts({ docker: many })).toHaveLength(32);
});
