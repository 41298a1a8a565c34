import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createLanLink, noNamespaces } from '../testing/lan-link.ts';
import { addSleepingHost } from '../testing/sleeping-host.ts';
import { createWaker } from './create-waker.ts';

const mac = 'd8:bb:c1:0a:2f:e4';
const packet = `${'ff'.repeat(6)}${'d8bbc10a2fe4'.repeat(16)}`;

function openWaker({ networks = networkInterfaces }: { networks?: typeof networkInterfaces } = {}) {
  const clock = { ms: 0 };
  return { clock, wake: createWaker({ monotonicMs: () => clock.ms, networks }) };
}

describe.skipIf(noNamespaces !== '')(`in a network namespace${noNamespaces}`, () => {
  test('the magic packet arrives by the broadcast address of the network and by that of all networks', async () => {
    using link = createLanLink(31);
    await using host = await addSleepingHost(link, { mac: '02:00:00:00:00:01' });
    const { wake } = openWaker();
    expect(await wake(mac)).toEqual({ ok: true, step: 'udp', ms: 0, seen: 'sent' });
    while (host.packets.length < 2) await host.nextPacket();
    expect(host.packets).toEqual([
      { from: link.own, hex: packet },
      { from: link.own, hex: packet },
    ]);
  });
});

test.each(['ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:fb', '00:00:00:00:00:00', '192.168.1.20', ''])(
  'nothing is sent for %j',
  async (wrong) => {
    const { wake } = openWaker({
      networks: () => {
        throw new Error('the networks were read');
      },
    });
    expect(await wake(wrong)).toEqual({ ok: false, step: 'udp', ms: 0, seen: 'not_possible' });
  },
);

test('a machine without a local network says so', async () => {
  const { wake } = openWaker({ networks: () => ({}) });
  expect(await wake(mac)).toMatchObject({ ok: false, seen: 'no_network' });
});

test('an address that this machine does not have any more is no network', async () => {
  const { wake } = openWaker({ networks: () => networksOf('10.254.254.1/24') });
  expect(await wake(mac)).toMatchObject({ ok: false, seen: 'no_network' });
});

test('after twenty packets in a minute it sends no more until the minute is over', async () => {
  const { clock, wake } = openWaker({ networks: () => ({}) });
  const seen = async () => (await wake(mac)).seen;
  for (let i = 0; i < 20; i++) expect(await seen()).toBe('no_network');
  expect(await seen()).toBe('busy');
  clock.ms = 59_999;
  expect(await seen()).toBe('busy');
  clock.ms = 60_000;
  expect(await seen()).toBe('no_network');
});

function networksOf(cidr: string): ReturnType<typeof networkInterfaces> {
  const [address = ''] = cidr.split('/');
  return { eth0: [{ address, cidr, netmask: '', mac, family: 'IPv4', internal: false }] };
}
