import type { LanKind } from '@tongtu/contract';

/**
 * One clue is enough. Clues of services: `title` of the page, `server` (the header field), `realm`, `banner`,
 * `certificate` (its names), `favicon` (hashes), `cookie` (the name of one that it sets), `generator` (what the page names
 * as its maker). Clues of hosts: `mdns` (type, name and TXT of an announcement), `ssdp` (its fields), `vendor` (of the network
 * card), which only a host without other clues is named by.
 */
export type Rule = {
  kind: LanKind;
  title?: RegExp;
  server?: RegExp;
  realm?: RegExp;
  banner?: RegExp;
  certificate?: RegExp;
  favicon?: readonly number[];
  cookie?: RegExp;
  generator?: RegExp;
  mdns?: RegExp;
  ssdp?: RegExp;
  vendor?: RegExp;
};

/** The first rule that matches counts: special ones stand before general ones. */
export const rules: readonly Rule[] = [
  // Applications, each a page of its own.
  { kind: 'home-assistant', title: /^home assistant\b/i, mdns: /^_home-assistant\._tcp/ },
  { kind: 'jellyfin', title: /^jellyfin\b/i, ssdp: /jellyfin/i },
  { kind: 'plex', title: /^plex\b/i, banner: /<MediaContainer\b.*machineIdentifier/i, ssdp: /plex media server/i },
  { kind: 'emby', title: /^emby\b/i, ssdp: /emby/i },
  { kind: 'portainer', title: /^portainer\b/i },
  { kind: 'qbittorrent', title: /^qbittorrent\b/i },
  { kind: 'transmission', title: /^transmission\b/i, server: /^transmission\b/i, realm: /^transmission$/i },
  { kind: 'aria2', banner: /"jsonrpc":\s*"2\.0"/ },
  { kind: 'adguard', title: /adguard home/i, realm: /adguard/i },
  { kind: 'pi-hole', title: /pi-?hole/i },
  { kind: 'alist', title: /^(?:alist|openlist)\b/i },
  { kind: 'nextcloud', title: /nextcloud/i },
  { kind: 'immich', title: /^immich\b/i },
  { kind: 'vaultwarden', title: /vaultwarden|bitwarden/i },
  { kind: 'grafana', title: /^grafana\b/i },
  { kind: 'gitea', title: /gitea|forgejo/i },
  { kind: 'code-server', title: /^code-server\b/i },
  { kind: 'jupyter', title: /^jupyter(?:lab| server| notebook|hub)?\b/i, server: /^TornadoServer\b/i },
  { kind: 'registry', realm: /^registry realm$/i },
  { kind: 'syncthing', title: /syncthing/i, realm: /syncthing/i },
  { kind: 'wordpress', generator: /^wordpress\b/i },
  { kind: 'node-red', title: /^node-red\b/i },
  { kind: 'baota', title: /宝塔/ },
  { kind: '1panel', title: /^1panel\b/i },
  { kind: 'webmin', title: /webmin/i, server: /^miniserv/i },
  { kind: 'cockpit', title: /^(?:cockpit|loading\.\.\. cockpit)/i, certificate: /^cockpit\b/i, cookie: /^cockpit$/ },
  { kind: 'minidlna', title: /minidlna/i, server: /minidlna|readydlna/i },

  // Systems, each with a page of its own.
  {
    kind: 'proxmox',
    title: /proxmox virtual environment/i,
    server: /^pve-api-daemon/i,
    certificate: /proxmox virtual environment|^pve cluster/i,
    favicon: [213_144_638],
  },
  { kind: 'esxi', title: /vmware esxi|ID_EESX_Welcome/i, certificate: /^vmware, inc/i },
  {
    kind: 'synology',
    title: /synology|diskstation/i,
    certificate: /^synology/i,
    mdns: /vendor=synology/i,
    ssdp: /synology/i,
    vendor: /^synology/i,
  },
  {
    kind: 'qnap',
    title: /\bqnap\b|\bqts\b|\bquts\b/i,
    certificate: /^qnap/i,
    mdns: /^_qdiscover\._tcp|qnap/i,
    ssdp: /qnap/i,
    vendor: /^qnap/i,
  },
  { kind: 'fnos', title: /飞牛|fnos/i, certificate: /fnos|fnnas/i, mdns: /fnos|fnnas|trim_nas/i },
  { kind: 'ugreen', title: /绿联|ugos|ugreen/i, ssdp: /ugreen/i, vendor: /^ugreen/i },
  { kind: 'zspace', title: /极空间|zspace/i, mdns: /zspace/i },
  { kind: 'unraid', title: /unraid|^tower\/login/i, certificate: /unraid\.net$/i },
  { kind: 'truenas', title: /truenas|freenas/i, certificate: /truenas|ixsystems/i, mdns: /truenas/i },
  { kind: 'openmediavault', title: /openmediavault/i },
  { kind: 'casaos', title: /^(?:casaos|zimaos)\b/i },
  {
    kind: 'openwrt',
    title: /\bLuCI\b|openwrt|istoreos|immortalwrt|lede\b|kwrt/i,
    banner: /openwrt/i,
    certificate: /^openwrt/i,
    mdns: /openwrt/i,
  },
  {
    kind: 'routeros',
    title: /routeros|mikrotik/i,
    banner: /mikrotik|rosssh/i,
    favicon: [1_924_358_485],
    vendor: /^(?:mikrotik|routerboard)/i,
  },
  { kind: 'ikuai', title: /爱快|ikuai/i },
  { kind: 'pfsense', title: /pfsense/i, certificate: /pfsense/i },
  { kind: 'opnsense', title: /opnsense/i, certificate: /opnsense/i },
  { kind: 'unifi', title: /^unifi/i, certificate: /^unifi/i, vendor: /^ubiquiti/i },
  {
    kind: 'asus',
    title: /asus (?:login|router)|asuswrt/i,
    certificate: /asusrouter|router\.asus/i,
    ssdp: /\basus.*(?:router|rt-)/i,
  },
  { kind: 'xiaomi', title: /小米路由器|miwifi|小米ap/i, ssdp: /miwifi|xiaomi.*router/i },
  { kind: 'mercury', title: /mercury|水星/i, ssdp: /mercury/i, vendor: /^mercury/i },
  { kind: 'tenda', title: /^tenda\b|腾达/i, vendor: /^tenda/i },
  {
    kind: 'huawei',
    title: /华为(?:路由|智能)|huawei.*(?:router|ont)|^HG\d{3,4}|^(?:EchoLife)/i,
    ssdp: /huawei.*(?:router|gateway)/i,
  },
  { kind: 'h3c', title: /\bh3c\b|新华三/i, certificate: /h3c/i, vendor: /^(?:new )?h3c/i },
  { kind: 'zte', title: /^(?:zte\b|&#[^;]+;zte)|中兴/i, realm: /\bzte\b/i },
  {
    kind: 'tp-link',
    title: /tp-?link|^TL-[A-Z]/i,
    realm: /tp-?link/i,
    certificate: /tplink|tp-link/i,
    ssdp: /tp-?link/i,
  },
  {
    kind: 'router',
    title: /路由器|路由登录|光猫|无线路由|\brouter\b|home ?gateway|天翼网关|智能网关/i,
    ssdp: /InternetGatewayDevice/i,
  },

  // Cameras.
  {
    kind: 'hikvision',
    title: /hikvision|海康/i,
    server: /hikvision|^(?:app|dvrdvs|dnvrs)-webs/i,
    realm: /hikvision/i,
    favicon: [999_357_577],
    mdns: /hikvision/i,
    vendor: /hikvision/i,
  },
  {
    kind: 'dahua',
    title: /dahua|大华/i,
    server: /dahua/i,
    realm: /dahua/i,
    certificate: /dahua/i,
    favicon: [1_653_394_551, 2_019_488_876, -1_466_785_234],
    vendor: /dahua/i,
  },
  {
    kind: 'camera',
    title: /ip ?camera|ipcam|network camera|网络摄像|摄像机|\bNVR\b|\bDVR\b/i,
    realm: /ip ?camera|ipcam/i,
    mdns: /^_(?:axis-video|rtsp)\._tcp/,
    ssdp: /ip ?camera|network camera/i,
    vendor: /^(?:axis communications|reolink|foscam|ezviz|tiandy|uniview|amcrest)/i,
  },

  // Printers.
  { kind: 'cups', title: /- CUPS [\d.]+$/, server: /^CUPS\// },
  {
    kind: 'printer',
    title: /printer|打印机|laserjet|officejet|deskjet|ecotank|ricoh|kyocera/i,
    server: /hp http server|epson_linux|epson-http|brother|canon http|ricoh|kyocera|cups/i,
    mdns: /^_(?:ipp|ipps|printer|pdl-datastream)\._tcp/,
    ssdp: /printer/i,
    vendor: /^(?:seiko epson|brother industries|kyocera|lexmark|ricoh|pantum)/i,
  },

  // What else announces itself.
  { kind: 'chromecast', mdns: /^_googlecast\._tcp/ },
  { kind: 'esphome', mdns: /^_esphomelib\._tcp/, title: /esphome/i },
  { kind: 'television', ssdp: /\btv\b|电视|bravia|webos/i },
  { kind: 'airplay', mdns: /^_(?:airplay|raop)\._tcp/ },
  { kind: 'homekit', mdns: /^_hap\._tcp/ },
];
