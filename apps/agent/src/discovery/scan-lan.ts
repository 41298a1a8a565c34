import { hostname } from 'node:os';
import { Resolver } from 'node:dns/promises';
import type { DiscoveryReport, DiscoveryResult } from '@tongtu/tunnel';
import { TargetError } from '../forward/target-error.ts';
import { browseMdns } from './browse-mdns.ts';
import { type CommonPort, commonPorts } from './common-ports.ts';
import { HostTable } from './host-table.ts';
import { identifyService } from './identify-service.ts';
import { nudge, readArpTable } from './arp-table.ts';
import { isInSubnets, otherAddresses, type Subnet } from './own-subnets.ts';
import { PacedDialer } from './paced-dialer.ts';
import { searchSsdp } from './search-ssdp.ts';

const TOTAL_MS = 150_000;
const REPORT_EVERY_MS = 700;
/** What finding the hosts is of the whole, in percent. */
const HOSTS_PERCENT = 20;
const HOSTS_STEP_PERCENT = 3;
/** Where there is no ARP table, a host is found by a port that accepts or refuses. */
const livenessPorts = [80, 443, 22, 445];
const LIVENESS_MS = 600;
const NAME_MS = 1000;
const MAX_NAME_LOOKUPS = 8;

export type ScanDeps = {
  subnets: readonly Subnet[];
  signal: AbortSignal;
  report: (report: DiscoveryReport) => void;
  ports?: readonly CommonPort[];
};

/** Finds hosts, then their services, and reports both while it runs. Returns how it ended. */
export async function scanLan(deps: ScanDeps): Promise<DiscoveryResult> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(stop, TOTAL_MS);
  deps.signal.addEventListener('abort', stop, { once: true });
  if (deps.signal.aborted) stop();
  const hosts = new HostTable();
  const progress = { percent: 0 };
  const flush = () => {
    // Finding the hosts takes a known time, so time is its progress.
    if (progress.percent < HOSTS_PERCENT - HOSTS_STEP_PERCENT) progress.percent += HOSTS_STEP_PERCENT;
    deps.report({ type: 'progress', percent: progress.percent });
    for (const part of hosts.takeChanged()) deps.report({ type: 'hosts', hosts: part });
  };
  const flushing = setInterval(flush, REPORT_EVERY_MS);
  try {
    const scan = { ...deps, signal: limit.signal, hosts, progress };
    await findHosts(scan);
    flush();
    await findServices(scan);
    flush();
    return limit.signal.aborted ? 'partial' : 'done';
  } finally {
    clearInterval(flushing);
    clearTimeout(timer);
    deps.signal.removeEventListener('abort', stop);
  }
}

type Scan = ScanDeps & { hosts: HostTable; progress: { percent: number } };

async function findHosts(scan: Scan): Promise<void> {
  const { subnets, signal, hosts } = scan;
  const dialer = new PacedDialer({ subnets, signal });
  const isOwn = (address: string) => isInSubnets(subnets, address);
  for (const { address, mac } of subnets) {
    hosts.add(address, { mac, isSelf: true });
    hosts.addName(address, hostname());
  }
  const findByArp = async () => {
    await nudge(otherAddresses(subnets), signal);
    const entries = (await readArpTable()).filter(({ address }) => isOwn(address));
    for (const { address, mac } of entries) hosts.add(address, { mac });
    if (entries.length === 0) await tryPorts(scan, dialer);
  };
  await Promise.all([
    findByArp(),
    ...subnets.map(async (subnet) => {
      for (const host of await browseMdns(subnet, { isOwn, signal })) hosts.addMdns(host);
    }),
    ...subnets.map(async (subnet) => {
      for (const host of await searchSsdp(subnet, { isOwn, dialer, signal })) hosts.addSsdp(host);
    }),
  ]);
  await lookUpNames(scan);
  scan.progress.percent = HOSTS_PERCENT;
}

async function tryPorts({ subnets, signal, hosts }: Scan, dialer: PacedDialer): Promise<void> {
  const tries: Promise<void>[] = [];
  for (const address of otherAddresses(subnets)) {
    for (const port of livenessPorts) {
      const attempt = async () => {
        if (signal.aborted) return;
        if (await isAnswered(dialer, address, port)) hosts.add(address);
      };
      tries.push(attempt());
    }
  }
  await Promise.all(tries);
}

async function isAnswered(dialer: PacedDialer, address: string, port: number): Promise<boolean> {
  try {
    (await dialer.dial(address, port, LIVENESS_MS)).destroy();
    return true;
  } catch (error) {
    return error instanceof TargetError && error.failure === 'refused';
  }
}

/** The names that the router gave by DHCP: only a name server within the own networks is asked. */
async function lookUpNames({ subnets, signal, hosts }: Scan): Promise<void> {
  const resolver = new Resolver({ timeout: NAME_MS, tries: 1 });
  const servers = resolver.getServers().filter((server) => isInSubnets(subnets, server));
  if (servers.length === 0) return;
  resolver.setServers(servers);
  const addresses = hosts.addresses;
  const lookUp = async () => {
    for (let address = addresses.pop(); address !== undefined && !signal.aborted; address = addresses.pop()) {
      const names = await resolver.reverse(address).catch(() => []);
      hosts.addName(address, names[0]);
    }
  };
  await Promise.all(Array.from({ length: MAX_NAME_LOOKUPS }, lookUp));
}

/** One port of all hosts after the other, so that no host gets all connections at once. */
async function findServices({ subnets, signal, hosts, progress, ports = commonPorts }: Scan): Promise<void> {
  const dialer = new PacedDialer({ subnets, signal });
  const { addresses } = hosts;
  const totalCount = ports.length * addresses.length;
  let doneCount = 0;
  const tries: Promise<void>[] = [];
  for (const port of ports) {
    for (const address of addresses) {
      const attempt = async () => {
        try {
          if (!signal.aborted) hosts.addService(address, await identifyService(dialer, { ...port, address }));
        } catch {
          // The port is closed, or the service has hung up.
        }
        doneCount++;
        progress.percent = HOSTS_PERCENT + Math.floor(((100 - HOSTS_PERCENT) * doneCount) / totalCount);
      };
      tries.push(attempt());
    }
  }
  await Promise.all(tries);
}
