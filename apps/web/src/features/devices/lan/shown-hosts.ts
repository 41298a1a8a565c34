import type { LanHost, LanService } from '@tongtu/contract';
import { lanKinds } from '@tongtu/contract/lan-kinds';
import { lanText } from '../../../text/devices/lan.ts';

/** What a host is called: its own name, else what it is, else who made it, else its address. */
export function hostName({ name, kind, vendor, address }: LanHost): string {
  if (name !== '') return name;
  if (kind !== null) return lanKinds[kind].name;
  return vendor === '' ? address : vendor;
}

/** What a service is called: what it is, else the title of its page, else its protocol. */
export function serviceName({ kind, title, protocol }: LanService): string {
  if (kind !== null) return lanKinds[kind].name;
  if (title !== '') return title;
  return protocol === '' ? lanText.tcp : protocol.toUpperCase();
}

function addressNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/** What is there stands first, by address. */
export function orderHosts(hosts: readonly LanHost[]): LanHost[] {
  return hosts.toSorted(
    (a, b) => Number(a.is_missing) - Number(b.is_missing) || addressNumber(a.address) - addressNumber(b.address),
  );
}

/** The hosts in which every word of the search occurs. */
export function searchHosts(hosts: readonly LanHost[], search: string): LanHost[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return hosts.filter((host) => {
    const text = textOf(host);
    return words.every((word) => text.includes(word));
  });
}

function textOf(host: LanHost): string {
  const services = host.services.flatMap((service) => [
    `:${service.port}`,
    service.title,
    service.protocol,
    serviceName(service),
  ]);
  const kind = host.kind === null ? '' : lanKinds[host.kind].name;
  const words = [hostName(host), host.address, host.mac ?? '', host.vendor, kind, ...services];
  return words.join('\n').toLowerCase();
}
