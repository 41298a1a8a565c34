import type { MappingKind } from '@tongtu/contract';
import { type KnownServiceName, knownServices } from '@tongtu/contract/known-services';
import type { MappingGroup } from './mapping-fields.ts';

/** `prefix` is for web pages only. `service`: what its mapping needs, and what has to be set in it. */
export type ServicePreset = {
  name: string;
  kind: MappingKind;
  port: number;
  prefix?: string;
  host?: string;
  service?: KnownServiceName;
};

function presetOf(service: KnownServiceName): ServicePreset {
  const { name, kind, port, prefix } = knownServices[service];
  return { name, kind, port, prefix, service };
}

/** The services that are mapped most often, with their default ports. */
export const servicePresets: Record<MappingGroup, readonly ServicePreset[]> = {
  web: [
    { name: '路由器管理页', prefix: 'router', kind: 'http', port: 80, host: '192.168.1.1' },
    ...(['synology', 'fnos', 'qnap', 'home-assistant', 'jellyfin', 'proxmox'] as const).map(presetOf),
  ],
  port: [
    { name: 'SSH', kind: 'tcp', port: 22 },
    { name: '远程桌面 RDP', kind: 'tcp', port: 3389 },
    { name: 'VNC', kind: 'tcp', port: 5900 },
    { name: '我的世界 Java 版', kind: 'tcp', port: 25_565 },
    { name: '我的世界基岩版', kind: 'udp', port: 19_132 },
    { name: 'WireGuard', kind: 'udp', port: 51_820 },
  ],
};

/** The other known services. */
export const morePresets: Record<MappingGroup, readonly ServicePreset[]> = {
  web: [
    ...(['qbittorrent', 'transmission', 'plex', 'immich', 'nextcloud', 'vaultwarden', 'gitea'] as const),
    ...([
      'grafana',
      'portainer',
      'code-server',
      'jupyter',
      'registry',
      'cockpit',
      'syncthing',
      'wordpress',
      'cups',
    ] as const),
    ...(['unraid', 'openwrt', 'esxi', 'camera'] as const),
  ].map(presetOf),
  port: [],
};
