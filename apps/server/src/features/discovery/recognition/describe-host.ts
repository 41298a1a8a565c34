import { withoutHiddenCharacters, type LanKind } from '@tongtu/contract';
import type { SeenHost, SeenService } from '@tongtu/tunnel';
import { recognizeHost, recognizeService } from './recognize.ts';

type DescribedService = { port: number; protocol: string; kind: LanKind | null; title: string };
export type DescribedHost = {
  address: string;
  mac: string | null;
  vendor: string;
  name: string;
  kind: LanKind | null;
  isSelf: boolean;
  services: DescribedService[];
};

const MAX_TITLE_LENGTH = 80;
const MAX_NAME_LENGTH = 60;
/** Some devices are called by a random id. */
const RANDOM_NAME = /^(?:[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{16,})$/i;
/** What home routers append to the names of their clients. */
const LOCAL_SUFFIX = /\.(?:lan|local|home|localdomain|internal|home\.arpa)\.?$/i;

/** What the server stores of a host: short plain texts, whatever the device has sent. */
export function describeHost(host: SeenHost, vendor: string): DescribedHost {
  const ports = new Map(host.services.map((service) => [service.port, describeService(service)]));
  return {
    address: host.address,
    mac: host.mac ?? null,
    vendor,
    name: nameOf(host),
    kind: recognizeHost(host, vendor) ?? null,
    isSelf: host.isSelf === true,
    services: [...ports.values()],
  };
}

function describeService(service: SeenService): DescribedService {
  const { port, title, realm, server, banner } = service;
  return {
    port,
    protocol: plain(service.protocol, 20),
    kind: recognizeService(service) ?? null,
    title: plain(title ?? realm ?? server ?? banner ?? '', MAX_TITLE_LENGTH),
  };
}

function nameOf({ names, ssdp, mdns }: SeenHost): string {
  // Chromecasts announce the name that people gave them as `fn`.
  const given = mdns.flatMap(({ txt }) => txt ?? []).find((text) => text.startsWith('fn='));
  const candidates = [given?.slice(3), ...ssdp.map(({ friendlyName }) => friendlyName), ...names];
  for (const candidate of candidates) {
    const name = plain(candidate ?? '', MAX_NAME_LENGTH).replace(LOCAL_SUFFIX, '');
    if (name !== '' && !RANDOM_NAME.test(name)) return name;
  }
  return '';
}

function plain(text: string, maxLength: number): string {
  return withoutHiddenCharacters(text).slice(0, maxLength).toWellFormed().trim();
}
