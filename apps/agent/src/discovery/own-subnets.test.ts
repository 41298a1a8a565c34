import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { isInSubnets, otherAddresses, ownSubnets } from './own-subnets.ts';
import { PacedDialer } from './paced-dialer.ts';

function entry(address: string, netmask: string, internal = false): NetworkInterfaceInfo {
  return { address, netmask, internal, family: 'IPv4', mac: '02:00:00:00:00:01', cidr: null };
}

const subnetsOf = (name: string, ...entries: NetworkInterfaceInfo[]) => ownSubnets({ [name]: entries });

test('only private networks of LAN interfaces are scanned', () => {
  expect(subnetsOf('eth0', entry('192.168.1.10', '255.255.255.0'))).toHaveLength(1);
  expect(subnetsOf('br-lan', entry('10.0.0.1', '255.255.255.0'))).toHaveLength(1);
  for (const [name, address] of [
    ['eth0', '203.0.113.7'],
    ['eth0', '169.254.3.4'],
    ['lo', '127.0.0.1'],
    ['docker0', '172.17.0.1'],
    ['br-0123456789ab', '172.18.0.1'],
    ['veth12', '10.1.1.1'],
    ['wg0', '10.8.0.2'],
    ['tailscale0', '100.64.0.9'],
  ] as const) {
    expect(subnetsOf(name, entry(address, '255.255.255.0')), `${name} ${address}`).toEqual([]);
  }
  expect(subnetsOf('eth0', entry('192.168.1.10', '255.255.255.0', true))).toEqual([]);
  expect(subnetsOf('eth0', entry('192.168.1.10', '255.255.255.255'))).toEqual([]);
  const ipv6 = { ...entry('fd00::1', 'ffff:ffff:ffff:ffff::'), family: 'IPv6' as const, scopeid: 0 };
  expect(subnetsOf('eth0', ipv6)).toEqual([]);
});

test('of a larger network only the /22 around the own address is scanned', () => {
  const subnets = subnetsOf('eth0', entry('10.20.33.44', '255.0.0.0'));
  const addresses = [...otherAddresses(subnets)];
  expect(addresses).toHaveLength(1024 - 3);
  expect([addresses[0], addresses.at(-1)]).toEqual(['10.20.32.1', '10.20.35.254']);
  expect(addresses).not.toContain('10.20.33.44');
  expect(isInSubnets(subnets, '10.20.31.255')).toBe(false);
  expect(isInSubnets(subnets, '10.20.36.0')).toBe(false);
});

test('a network is scanned once, and at most four are', () => {
  const wired = entry('192.168.1.10', '255.255.255.0');
  const wireless = entry('192.168.1.11', '255.255.255.0');
  expect(ownSubnets({ eth0: [wired], wlan0: [wireless] })).toHaveLength(1);
  const many = Array.from({ length: 9 }, (_, index) => entry(`10.0.${index}.1`, '255.255.255.0'));
  expect(subnetsOf('eth0', ...many)).toHaveLength(4);
});

test.each(['192.168.2.1', '8.8.8.8', '127.0.0.1', '169.254.169.254', '192.168.1.0', '192.168.1.255', 'nas.lan', '::1'])(
  'the dialer refuses %s, which is no host of the own network',
  async (address) => {
    const subnets = subnetsOf('eth0', entry('192.168.1.10', '255.255.255.0'));
    const dialer = new PacedDialer({ subnets, signal: new AbortController().signal });
    await expect(dialer.dial(address, 80, 1000)).rejects.toMatchObject({ failure: 'notAllowed' });
  },
);
