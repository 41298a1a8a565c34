import type { CloudApp, LanHost, LanService, Mapping } from '@tongtu/contract';
import type { CloudAppKind } from '@tongtu/contract/app-kinds';
import { MAX_NAME_LENGTH, MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import type { LanKind } from '@tongtu/contract/lan-kinds';
import type { AppFields } from '../cloud-apps/app-dialog/app-fields.ts';
import { readTypedTarget } from '../mapping-dialog/lan-target.ts';
import type { MappingFields } from '../mapping-dialog/mapping-fields.ts';
import { freePrefix } from '../mapping-dialog/free-prefix.ts';
import { hostName, serviceName } from './shown-hosts.ts';

export type MappingPrefill = Pick<MappingFields, 'group' | 'kind' | 'host' | 'port' | 'prefix' | 'remark'>;
export type AppPrefill = Pick<AppFields, 'kind' | 'name' | 'host' | 'port' | 'tls'>;

/** How the agent's own machine may be called as a target. */
const ownNames = ['127.0.0.1', 'localhost', '::1'];

function leadsTo(target: { host: string; port: number }, host: LanHost, service: LanService): boolean {
  const isHost = target.host === host.address || (host.is_self && ownNames.includes(target.host));
  return isHost && target.port === service.port;
}

/** The mapping that leads to the service. */
export function mappingOf(mappings: readonly Mapping[], host: LanHost, service: LanService): Mapping | undefined {
  return mappings.find((mapping) => {
    const target = readTypedTarget(mapping.target);
    return target?.port !== undefined && leadsTo({ host: target.host, port: target.port }, host, service);
  });
}

/** The app of this kind that leads to the service. */
export function appOf(
  apps: readonly CloudApp[],
  host: LanHost,
  service: LanService,
  kind: CloudAppKind,
): CloudApp | undefined {
  return apps.find((app) => app.kind === kind && leadsTo(app, host, service));
}

/** The apps that open the service inside the browser. */
export function appKindsOf({ protocol, kind }: LanService): readonly CloudAppKind[] {
  if (kind === 'webdav') return ['webdav'];
  switch (protocol) {
    case 'ssh':
      return ['ssh', 'sftp'];
    case 'telnet':
    case 'vnc':
    case 'rdp':
    case 'smb':
      return [protocol];
    default:
      return [];
  }
}

/** The first labels that people give these services. */
const usualPrefixes: Partial<Record<LanKind, string>> = {
  'home-assistant': 'ha',
  synology: 'nas',
  proxmox: 'pve',
  qbittorrent: 'qb',
  transmission: 'bt',
  nextcloud: 'cloud',
  gitea: 'git',
  'code-server': 'code',
  openwrt: 'router',
  xiaomi: 'router',
  huawei: 'router',
  'tp-link': 'router',
};

function nameOf(host: LanHost, service: LanService, maxLength: number): string {
  const [hosts, services] = [hostName(host), serviceName(service)];
  return (hosts === services ? hosts : `${hosts} ${services}`).slice(0, maxLength);
}

export function mappingPrefill(host: LanHost, service: LanService, takenPrefixes: ReadonlySet<string>): MappingPrefill {
  const { protocol, port, kind } = service;
  const isWeb = protocol === 'http' || protocol === 'https';
  const fromName = hostName(host)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 20);
  const byKind = kind === null ? undefined : (usualPrefixes[kind] ?? kind);
  const wanted = byKind ?? (/^[a-z]/.test(fromName) ? fromName : 'web');
  return {
    group: isWeb ? 'web' : 'port',
    kind: isWeb ? protocol : 'tcp',
    host: host.address,
    port: String(port),
    prefix: isWeb ? freePrefix(wanted, takenPrefixes) : '',
    remark: nameOf(host, service, MAX_REMARK_LENGTH),
  };
}

export function appPrefill(host: LanHost, service: LanService, kind: CloudAppKind): AppPrefill {
  return {
    kind,
    name: nameOf(host, service, MAX_NAME_LENGTH),
    host: host.address,
    port: String(service.port),
    tls: kind === 'webdav' && service.protocol === 'https',
  };
}
