/**
 * Services that are mapped often: what their mappings need, and what has to be set in the service itself. This file imports
 * no library, so the browser can load it. docs/connection-test.md has the same table.
 */
import type { LanKind } from '../devices/lan-kinds.ts';
import { initialOptions, type MappingOptions, type OptionName } from './mapping-options.ts';

export type KnownService = {
  /** As the console shows it. */
  name: string;
  kind: 'http' | 'https';
  port: number;
  /** The usual first label of its address. */
  prefix: string;
  /** Options of a new mapping that differ from the initial ones. */
  options: Partial<MappingOptions>;
  /** One Chinese sentence: what to set in the service itself. */
  advice?: string;
  /** Where its pages ask and open a WebSocket: a GET without a login is harmless there, and refused by Host or Origin. */
  scriptPath?: string;
  socketPath?: string;
  /** `service`: tried with a running service; `documents`: by what its makers write. */
  verified: 'service' | 'documents';
};

const none = {} as const;

export const knownServices = {
  'home-assistant': {
    name: 'Home Assistant',
    kind: 'http',
    port: 8123,
    prefix: 'ha',
    options: { visitorFields: 'omit_address' },
    advice:
      '如果想让 Home Assistant 知道访客的真实地址：在 configuration.yaml 的 http 下设置 use_x_forwarded_for: true，把运行客户端的设备地址加入 trusted_proxies，重启后再把映射的访客信息改为全部发送',
    verified: 'service',
  },
  qbittorrent: {
    name: 'qBittorrent',
    kind: 'http',
    port: 8080,
    prefix: 'qb',
    options: { hostHeader: 'rewrite' },
    verified: 'service',
  },
  transmission: {
    name: 'Transmission',
    kind: 'http',
    port: 9091,
    prefix: 'bt',
    options: { hostHeader: 'rewrite' },
    scriptPath: '/transmission/rpc',
    advice: '如果客户端和 Transmission 不在同一台设备上：把客户端所在设备的地址加入 Transmission 的 rpc-whitelist',
    verified: 'service',
  },
  jellyfin: {
    name: 'Jellyfin',
    kind: 'http',
    port: 8096,
    prefix: 'jellyfin',
    options: none,
    advice: '在“控制台 → 联网”的“已知代理”里填运行客户端的设备地址，Jellyfin 才能分清访客来自局域网还是外面',
    verified: 'documents',
  },
  plex: {
    name: 'Plex',
    kind: 'http',
    port: 32_400,
    prefix: 'plex',
    options: none,
    advice: '在“设置 → 网络”的“自定义服务器访问 URL”里填这条映射的地址，Plex 的客户端才会使用它',
    verified: 'documents',
  },
  immich: {
    name: 'Immich',
    kind: 'http',
    port: 2283,
    prefix: 'photos',
    options: none,
    advice: '在“系统管理 → 设置 → 服务器”的“外部域名”里填这条映射的地址，分享链接才能在外面打开',
    verified: 'documents',
  },
  nextcloud: {
    name: 'Nextcloud',
    kind: 'http',
    port: 80,
    prefix: 'cloud',
    options: none,
    advice:
      "在 config.php 里把这条映射的域名加入 trusted_domains，把运行客户端的设备地址加入 trusted_proxies，并设置 'overwriteprotocol' => 'https'",
    verified: 'documents',
  },
  synology: {
    name: '群晖 DSM',
    kind: 'http',
    port: 5000,
    prefix: 'nas',
    options: none,
    advice: '在“控制面板 → 登录门户”里关闭“自动将 HTTP 连接重定向到 HTTPS”，或把目标改为 https 的 5001 端口',
    verified: 'documents',
  },
  qnap: {
    name: '威联通 QTS',
    kind: 'http',
    port: 8080,
    prefix: 'qnap',
    options: none,
    advice: '如果“控制面板 → 系统 → 常规设置”里启用了“强制安全连接”，请把目标改为 https 的 443 端口',
    verified: 'documents',
  },
  fnos: { name: '飞牛 fnOS', kind: 'http', port: 5666, prefix: 'fnos', options: none, verified: 'documents' },
  unraid: {
    name: 'Unraid',
    kind: 'http',
    port: 80,
    prefix: 'unraid',
    options: none,
    advice: '在“Settings → Management Access”里把“Use SSL/TLS”设为 No，否则网页会跳转到 myunraid.net 的地址',
    verified: 'documents',
  },
  openwrt: {
    name: 'OpenWrt',
    kind: 'http',
    port: 80,
    prefix: 'router',
    options: none,
    advice: '如果 uhttpd 启用了“重定向到 HTTPS”（redirect_https），请关闭它，或把目标改为 https',
    verified: 'documents',
  },
  esxi: { name: 'VMware ESXi', kind: 'https', port: 443, prefix: 'esxi', options: none, verified: 'documents' },
  proxmox: { name: 'PVE', kind: 'https', port: 8006, prefix: 'pve', options: none, verified: 'documents' },
  portainer: {
    name: 'Portainer',
    kind: 'https',
    port: 9443,
    prefix: 'portainer',
    options: none,
    advice: '如果目标是 http 的 9000 端口：启动 Portainer 时要设置 TRUSTED_ORIGINS 为这条映射的域名',
    verified: 'documents',
  },
  'code-server': {
    name: 'code-server',
    kind: 'http',
    port: 8080,
    prefix: 'code',
    options: none,
    verified: 'documents',
  },
  jupyter: {
    name: 'Jupyter',
    kind: 'http',
    port: 8888,
    prefix: 'jupyter',
    options: { hostHeader: 'rewrite' },
    verified: 'service',
  },
  grafana: {
    name: 'Grafana',
    kind: 'http',
    port: 3000,
    prefix: 'grafana',
    options: none,
    advice: '在 grafana.ini 的 [server] 里把 root_url 设为这条映射的地址，邮件和分享里的链接才正确',
    verified: 'documents',
  },
  vaultwarden: {
    name: 'Vaultwarden',
    kind: 'http',
    port: 80,
    prefix: 'vault',
    options: none,
    advice: '启动 Vaultwarden 时把环境变量 DOMAIN 设为这条映射的地址（https://…），附件和通行密钥才能使用',
    verified: 'documents',
  },
  gitea: {
    name: 'Gitea',
    kind: 'http',
    port: 3000,
    prefix: 'git',
    options: none,
    advice: '在 app.ini 的 [server] 里把 ROOT_URL 设为这条映射的地址，克隆地址和登录后的跳转才正确',
    verified: 'documents',
  },
  registry: {
    name: '容器镜像仓库',
    kind: 'http',
    port: 5000,
    prefix: 'registry',
    options: none,
    advice: 'docker 不会打开登录网页：访问策略请选公开并在仓库里设置账号，或按访客地址放行',
    verified: 'service',
  },
  cockpit: {
    name: 'Cockpit',
    kind: 'https',
    port: 9090,
    prefix: 'cockpit',
    options: none,
    socketPath: '/cockpit/socket',
    verified: 'service',
  },
  syncthing: {
    name: 'Syncthing',
    kind: 'http',
    port: 8384,
    prefix: 'sync',
    options: { hostHeader: 'rewrite' },
    verified: 'service',
  },
  wordpress: {
    name: 'WordPress',
    kind: 'http',
    port: 80,
    prefix: 'blog',
    options: none,
    advice:
      "在“设置 → 常规”里把“WordPress 地址”和“站点地址”都改为这条映射的地址；地址是 https 的，还要在 wp-config.php 的 <?php 之后加一行 if (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https') $_SERVER['HTTPS'] = 'on';",
    verified: 'service',
  },
  cups: {
    name: 'CUPS',
    kind: 'http',
    port: 631,
    prefix: 'print',
    options: { hostHeader: 'rewrite' },
    advice: '在 cupsd.conf 里设置 DefaultEncryption Never，否则管理页面会跳转到内网的 https 地址',
    verified: 'service',
  },
  camera: {
    name: '摄像机',
    kind: 'http',
    port: 80,
    prefix: 'camera',
    options: none,
    advice: '网页里的实时画面如果用 RTSP（554 端口），请为它另建一条 TCP 端口映射',
    verified: 'documents',
  },
} as const satisfies Partial<Record<LanKind, KnownService>>;

export type KnownServiceName = keyof typeof knownServices;

/** The options that presets decide, for one of them, or with their initial values for any other service. */
export function presetOptions(service: KnownServiceName | undefined): Partial<MappingOptions> {
  const decided = Object.values(knownServices).flatMap(({ options }) => Object.keys(options) as OptionName[]); // its keys
  const initial = Object.fromEntries(decided.map((name) => [name, initialOptions[name]]));
  return { ...initial, ...(service === undefined ? {} : knownServices[service].options) };
}

export function isKnownService(kind: LanKind | undefined): kind is KnownServiceName {
  return kind !== undefined && Object.hasOwn(knownServices, kind);
}

export function findKnownService(kind: LanKind | undefined): KnownService | undefined {
  return isKnownService(kind) ? knownServices[kind] : undefined;
}
