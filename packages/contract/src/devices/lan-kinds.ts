/**
 * What hosts and services of a LAN can be recognized as. The server has the rules, the console shows the names. This file
 * imports no library, so the browser can load it.
 */
export const lanKinds = {
  openwrt: { name: 'OpenWrt', category: 'router' },
  routeros: { name: 'MikroTik RouterOS', category: 'router' },
  ikuai: { name: '爱快', category: 'router' },
  asus: { name: '华硕路由器', category: 'router' },
  'tp-link': { name: 'TP-LINK', category: 'router' },
  mercury: { name: '水星路由器', category: 'router' },
  tenda: { name: '腾达路由器', category: 'router' },
  xiaomi: { name: '小米路由器', category: 'router' },
  huawei: { name: '华为路由器', category: 'router' },
  h3c: { name: '新华三', category: 'router' },
  zte: { name: '中兴', category: 'router' },
  unifi: { name: 'UniFi', category: 'router' },
  pfsense: { name: 'pfSense', category: 'router' },
  opnsense: { name: 'OPNsense', category: 'router' },
  router: { name: '路由器', category: 'router' },
  synology: { name: '群晖', category: 'nas' },
  qnap: { name: '威联通', category: 'nas' },
  fnos: { name: '飞牛', category: 'nas' },
  ugreen: { name: '绿联', category: 'nas' },
  zspace: { name: '极空间', category: 'nas' },
  unraid: { name: 'Unraid', category: 'nas' },
  truenas: { name: 'TrueNAS', category: 'nas' },
  openmediavault: { name: 'OpenMediaVault', category: 'nas' },
  casaos: { name: 'CasaOS', category: 'nas' },
  proxmox: { name: 'Proxmox VE', category: 'hypervisor' },
  esxi: { name: 'VMware ESXi', category: 'hypervisor' },
  'home-assistant': { name: 'Home Assistant', category: 'smart-home' },
  esphome: { name: 'ESPHome', category: 'smart-home' },
  homekit: { name: 'HomeKit 配件', category: 'smart-home' },
  'node-red': { name: 'Node-RED', category: 'smart-home' },
  hikvision: { name: '海康威视', category: 'camera' },
  dahua: { name: '大华', category: 'camera' },
  camera: { name: '摄像机', category: 'camera' },
  cups: { name: 'CUPS', category: 'printer' },
  printer: { name: '打印机', category: 'printer' },
  chromecast: { name: 'Chromecast', category: 'media' },
  airplay: { name: 'AirPlay', category: 'media' },
  television: { name: '电视', category: 'media' },
  jellyfin: { name: 'Jellyfin', category: 'media' },
  plex: { name: 'Plex', category: 'media' },
  emby: { name: 'Emby', category: 'media' },
  minidlna: { name: 'MiniDLNA', category: 'media' },
  portainer: { name: 'Portainer', category: 'app' },
  cockpit: { name: 'Cockpit', category: 'app' },
  webmin: { name: 'Webmin', category: 'app' },
  baota: { name: '宝塔面板', category: 'app' },
  '1panel': { name: '1Panel', category: 'app' },
  qbittorrent: { name: 'qBittorrent', category: 'app' },
  transmission: { name: 'Transmission', category: 'app' },
  aria2: { name: 'aria2', category: 'app' },
  adguard: { name: 'AdGuard Home', category: 'app' },
  'pi-hole': { name: 'Pi-hole', category: 'app' },
  alist: { name: 'AList', category: 'app' },
  nextcloud: { name: 'Nextcloud', category: 'app' },
  immich: { name: 'Immich', category: 'app' },
  vaultwarden: { name: 'Vaultwarden', category: 'app' },
  grafana: { name: 'Grafana', category: 'app' },
  gitea: { name: 'Gitea', category: 'app' },
  'code-server': { name: 'code-server', category: 'app' },
  jupyter: { name: 'Jupyter', category: 'app' },
  registry: { name: '容器镜像仓库', category: 'app' },
  syncthing: { name: 'Syncthing', category: 'app' },
  wordpress: { name: 'WordPress', category: 'app' },
  ssh: { name: 'SSH', category: 'protocol' },
  telnet: { name: 'Telnet', category: 'protocol' },
  rdp: { name: 'Windows 远程桌面', category: 'protocol' },
  vnc: { name: 'VNC', category: 'protocol' },
  smb: { name: 'SMB 共享', category: 'protocol' },
  webdav: { name: 'WebDAV', category: 'protocol' },
  ftp: { name: 'FTP', category: 'protocol' },
  nfs: { name: 'NFS', category: 'protocol' },
  afp: { name: 'AFP', category: 'protocol' },
  rtsp: { name: 'RTSP 视频流', category: 'protocol' },
  rsync: { name: 'rsync', category: 'protocol' },
  mqtt: { name: 'MQTT', category: 'protocol' },
  mysql: { name: 'MySQL', category: 'protocol' },
  postgresql: { name: 'PostgreSQL', category: 'protocol' },
  redis: { name: 'Redis', category: 'protocol' },
} as const satisfies Record<string, { name: string; category: LanCategory }>;

export type LanCategory =
  | 'router'
  | 'nas'
  | 'hypervisor'
  | 'smart-home'
  | 'camera'
  | 'printer'
  | 'media'
  | 'app'
  | 'protocol';
export type LanKind = keyof typeof lanKinds;

export function isLanKind(text: string): text is LanKind {
  return Object.hasOwn(lanKinds, text);
}
