import { isLanKind, type LanCategory, lanKinds, type LanKind } from '@tongtu/contract';
import type { SeenHost, SeenService } from '@tongtu/tunnel';
import { type Rule, rules } from './rules.ts';

/** What is said of a host; a machine with a NAS and a media server is a NAS. */
const hostCategories: readonly LanCategory[] = [
  ...(['nas', 'hypervisor', 'router', 'camera', 'printer', 'smart-home', 'media'] as const),
];

/** `cookies`: the names of those that it sets, and what its page names as its maker, where they are known. */
type ShownService = SeenService & { cookies?: readonly string[]; generator?: string };

/** What a service is, by what it shows of itself, else by its protocol. */
export function recognizeService(service: ShownService): LanKind | undefined {
  const found = rules.find((rule) => isOfService(rule, service))?.kind;
  if (found !== undefined) return found;
  if (service.isWebdav === true) return 'webdav';
  if (service.protocol === 'raw-print' || service.protocol === 'lpd') return 'printer';
  if (service.protocol === 'dvr') return 'camera';
  return isLanKind(service.protocol) ? service.protocol : undefined;
}

/** What a host is, by its announcements, then by its services, then by the maker of its network card. */
export function recognizeHost(host: SeenHost, vendor: string): LanKind | undefined {
  const announced = rules.filter((rule) => isAnnounced(rule, host)).map(({ kind }) => kind);
  const served = host.services.flatMap((service) => recognizeService(service) ?? []);
  const found = firstByCategory([...announced, ...served]);
  return found ?? rules.find((rule) => vendor !== '' && rule.vendor?.test(vendor))?.kind;
}

function firstByCategory(kinds: readonly LanKind[]): LanKind | undefined {
  for (const category of hostCategories) {
    const found = kinds.find((kind) => lanKinds[kind].category === category);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOfService(rule: Rule, service: ShownService): boolean {
  const { title, server, realm, banner, certificate, favicon, cookie, generator } = rule;
  return (
    isIn(title, service.title) ||
    isIn(server, service.server) ||
    isIn(realm, service.realm) ||
    isIn(banner, service.banner) ||
    isIn(generator, service.generator) ||
    (certificate !== undefined && (service.certificate ?? []).some((name) => certificate.test(name))) ||
    (cookie !== undefined && (service.cookies ?? []).some((name) => cookie.test(name))) ||
    (service.favicon !== undefined && favicon?.includes(service.favicon) === true)
  );
}

function isAnnounced({ mdns, ssdp }: Rule, host: SeenHost): boolean {
  return (
    host.mdns.some(({ type, name, txt }) => isIn(mdns, [type, name, ...(txt ?? [])].join(' '))) ||
    host.ssdp.some((fields) => isIn(ssdp, Object.values(fields).join(' ')))
  );
}

function isIn(pattern: RegExp | undefined, text: string | undefined): boolean {
  return pattern !== undefined && text !== undefined && pattern.test(text);
}
