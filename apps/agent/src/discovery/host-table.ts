import {
  MAX_DISCOVERED_HOSTS,
  MAX_HOSTS_PER_REPORT,
  MAX_SEEN_LIST_LENGTH,
  MAX_SERVICES_PER_HOST,
  type SeenHost,
  type SeenService,
} from '@tongtu/tunnel';
import type { MdnsHost } from './mdns-records.ts';
import { seenText } from './seen-text.ts';
import type { SsdpHost } from './search-ssdp.ts';

/** What a scan knows of each host. It keeps within the limits of a report, whatever the LAN says. */
export class HostTable {
  readonly #hosts = new Map<string, SeenHost>();
  readonly #changed = new Set<string>();

  get addresses(): string[] {
    return [...this.#hosts.keys()];
  }

  add(address: string, facts: { mac?: string | undefined; isSelf?: true } = {}): void {
    const host = this.#hostAt(address);
    if (host === undefined) return;
    if (facts.mac !== undefined && host.mac === undefined) host.mac = facts.mac;
    if (facts.isSelf) host.isSelf = true;
  }

  addName(address: string, name: string | undefined): void {
    const text = seenText(name);
    const host = this.#hosts.get(address);
    if (host === undefined || text === undefined || host.names.includes(text)) return;
    if (host.names.length >= MAX_SEEN_LIST_LENGTH) return;
    host.names.push(text);
    this.#changed.add(address);
  }

  addMdns({ address, name, announced }: MdnsHost): void {
    const host = this.#hostAt(address);
    if (host === undefined) return;
    host.mdns = [...host.mdns, ...announced].slice(0, MAX_SERVICES_PER_HOST);
    this.addName(address, name);
  }

  addSsdp({ address, announced }: SsdpHost): void {
    const host = this.#hostAt(address);
    if (host === undefined) return;
    host.ssdp = [...host.ssdp, ...announced].slice(0, MAX_SEEN_LIST_LENGTH);
    for (const { friendlyName } of announced) this.addName(address, friendlyName);
  }

  addService(address: string, service: SeenService): void {
    const host = this.#hosts.get(address);
    if (host === undefined || host.services.length >= MAX_SERVICES_PER_HOST) return;
    host.services.push(service);
    this.#changed.add(address);
  }

  /** The hosts that have changed since the last call, in parts for one report each. */
  *takeChanged(): Generator<SeenHost[]> {
    const hosts = [...this.#changed].flatMap((address) => this.#hosts.get(address) ?? []);
    this.#changed.clear();
    for (let at = 0; at < hosts.length; at += MAX_HOSTS_PER_REPORT) yield hosts.slice(at, at + MAX_HOSTS_PER_REPORT);
  }

  #hostAt(address: string): SeenHost | undefined {
    const known = this.#hosts.get(address);
    if (known === undefined && this.#hosts.size >= MAX_DISCOVERED_HOSTS) return undefined;
    const host = known ?? { address, names: [], mdns: [], ssdp: [], services: [] };
    this.#hosts.set(address, host);
    this.#changed.add(address);
    return host;
  }
}
