import { createServer } from 'node:net';
import { once } from 'node:events';
import { DiscoveryReport, type SeenHost } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { createLanLink, noNamespaces } from '../testing/lan-link.ts';
import { addPeer } from '../testing/peer-network.ts';
import { TRAP_PORT } from '../testing/lan-peer-ports.ts';
import { ownSubnets } from './own-subnets.ts';
import { scanLan } from './scan-lan.ts';

test.skipIf(noNamespaces !== '')(
  'a scan finds a host with its MAC address, names and services, and follows no address of others',
  { timeout: 60_000 },
  async () => {
    using link = createLanLink(33);
    await using lan = await addPeer(link);
    let trapCount = 0;
    const trap = createServer((socket) => {
      trapCount++;
      socket.destroy();
    }).listen(TRAP_PORT, lan.own);
    await once(trap, 'listening');
    const reports: DiscoveryReport[] = [];
    const subnets = ownSubnets(lan.interfaces);
    const report = (each: DiscoveryReport) => void reports.push(DiscoveryReport.parse(each));
    expect(await scanLan({ subnets, signal: new AbortController().signal, report })).toBe('done');
    trap.close();

    const hosts = new Map<string, SeenHost>();
    for (const each of reports) if (each.type === 'hosts') for (const host of each.hosts) hosts.set(host.address, host);
    expect([...hosts.keys()].toSorted()).toEqual([lan.own, lan.peer]);
    expect(hosts.get(lan.own)).toMatchObject({ isSelf: true });
    const peer = hosts.get(lan.peer);
    expect(peer).toMatchObject({
      mac: lan.peerMac,
      mdns: [{ type: '_ipp._tcp', name: 'Laser 一楼', port: 631, txt: ['ty=Laser 9000'] }],
    });
    expect(peer?.names.toSorted()).toEqual(['laser', '书房的电视']);
    expect(peer?.ssdp).toContainEqual({ server: 'Test/1.0', friendlyName: '书房的电视', modelName: 'TV 1' });
    expect(peer?.services.toSorted((a, b) => a.port - b.port)).toMatchObject([
      { port: 22, protocol: 'ssh', banner: 'SSH-2.0-OpenSSH_9.9' },
      { port: 23, protocol: 'telnet' },
      { port: 8096, protocol: 'http', status: 302, title: 'Jellyfin & 客厅' },
    ]);
    expect(trapCount).toBe(0);
    expect(reports).toContainEqual({ type: 'progress', percent: 100 });
  },
);

test('a scan that is stopped ends at once', async () => {
  const stopping = new AbortController();
  stopping.abort();
  const subnets = [{ address: '127.0.0.1', mac: undefined, first: 2_130_706_432, last: 2_130_706_435 }];
  expect(await scanLan({ subnets, signal: stopping.signal, report: () => {} })).toBe('partial');
});
