import type { MappingKind } from '@tongtu/contract';
import type { MappingGroup } from './mapping-fields.ts';

/** `prefix` is for web pages only. */
export type ServicePreset = { name: string; kind: MappingKind; port: number; prefix?: string; host?: string };

/** The services that are mapped most often, with their default ports. */
export const servicePresets: Record<MappingGroup, readonly ServicePreset[]> = {
  web: [
    { name: '路由器管理页', prefix: 'router', kind: 'http', port: 80, host: '192.168.1.1' },
    { name: '群晖 DSM', prefix: 'nas', kind: 'http', port: 5000 },
    { name: '飞牛 fnOS', prefix: 'fnos', kind: 'http', port: 5666 },
    { name: '威联通 QTS', prefix: 'qnap', kind: 'http', port: 8080 },
    { name: 'Home Assistant', prefix: 'ha', kind: 'http', port: 8123 },
    { name: 'Jellyfin', prefix: 'jellyfin', kind: 'http', port: 8096 },
    { name: 'PVE', prefix: 'pve', kind: 'https', port: 8006 },
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

/** A prefix that the user's other mappings do not have: the wanted one, or that with a number. */
export function freePrefix(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const candidate = `${wanted}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
