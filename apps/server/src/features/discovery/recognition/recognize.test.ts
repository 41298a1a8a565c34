import { anyText } from '@tongtu/base/testing/any-text';
import { lanKinds, type LanKind } from '@tongtu/contract';
import type { SeenHost, SeenService } from '@tongtu/tunnel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeHost } from './describe-host.ts';
import { recognizeHost, recognizeService } from './recognize.ts';
import { rules } from './rules.ts';

const bare: SeenHost = { address: '192.168.1.2', names: [], mdns: [], ssdp: [], services: [] };
const web = (fields: Partial<SeenService>): SeenService => ({ port: 80, protocol: 'http', ...fields });

test.each<[LanKind | undefined, Partial<SeenService>]>([
  ['openwrt', { title: 'OpenWrt - LuCI' }],
  ['openwrt', { title: 'iStoreOS - LuCI' }],
  ['synology', { title: 'NAS - Synology DiskStation' }],
  ['synology', { title: '登录', certificate: ['synology', 'Synology Inc.'] }],
  ['qnap', { title: 'QNAP Turbo NAS' }],
  ['fnos', { title: '飞牛 fnOS' }],
  ['unraid', { title: 'Tower/Login' }],
  ['truenas', { title: 'TrueNAS - 192.168.1.2' }],
  ['home-assistant', { title: 'Home Assistant' }],
  ['jellyfin', { title: 'Jellyfin' }],
  ['plex', { banner: '<?xml version="1.0"?><MediaContainer size="0" machineIdentifier="x"></MediaContainer>' }],
  ['emby', { title: 'Emby' }],
  ['proxmox', { title: 'pve - Proxmox Virtual Environment', protocol: 'https' }],
  ['proxmox', { favicon: 213_144_638 }],
  ['esxi', { title: '" + ID_EESX_Welcome + "', certificate: ['VMware, Inc'] }],
  ['portainer', { title: 'Portainer' }],
  ['qbittorrent', { title: 'qBittorrent WebUI' }],
  ['transmission', { server: 'Transmission', status: 409 }],
  ['aria2', { banner: '{"id":"tongtu","jsonrpc":"2.0","error":{"code":1,"message":"Unauthorized"}}' }],
  ['adguard', { title: 'AdGuard Home' }],
  ['pi-hole', { title: 'Pi-hole raspberrypi' }],
  ['cups', { title: 'Home - CUPS 2.4.2', server: 'CUPS/2.4 IPP/2.1' }],
  ['printer', { title: 'HP LaserJet Pro' }],
  ['printer', { protocol: 'raw-print' }],
  ['hikvision', { server: 'App-webs/' }],
  ['hikvision', { favicon: 999_357_577 }],
  ['dahua', { favicon: 1_653_394_551 }],
  ['camera', { protocol: 'dvr' }],
  ['camera', { realm: 'IP Camera(C1234)' }],
  ['xiaomi', { title: '小米路由器' }],
  ['tp-link', { title: 'TL-WR841N' }],
  ['router', { title: '无线路由器 登录' }],
  ['routeros', { title: 'RouterOS router configuration page' }],
  ['webdav', { isWebdav: true, status: 401 }],
  ['ssh', { protocol: 'ssh', banner: 'SSH-2.0-OpenSSH_9.2' }],
  ['rdp', { protocol: 'rdp' }],
  ['vnc', { protocol: 'vnc', banner: 'RFB 003.008' }],
  ['smb', { protocol: 'smb' }],
  ['telnet', { protocol: 'telnet' }],
  [undefined, { title: '欢迎' }],
  [undefined, { protocol: 'constructor' }],
  [undefined, {}],
])('%s is recognized by %j', (kind, fields) => {
  expect(recognizeService(web(fields))).toBe(kind);
});

test.each<[LanKind | undefined, Partial<SeenHost>, string]>([
  ['synology', { mdns: [{ type: '_http._tcp', name: 'NAS', txt: ['vendor=Synology', 'model=DS920+'] }] }, ''],
  ['qnap', { mdns: [{ type: '_qdiscover._tcp', name: 'NAS' }] }, ''],
  ['printer', { mdns: [{ type: '_ipp._tcp', name: 'Laser' }] }, ''],
  ['chromecast', { mdns: [{ type: '_googlecast._tcp', name: 'x' }] }, ''],
  ['router', { ssdp: [{ deviceType: 'urn:schemas-upnp-org:device:InternetGatewayDevice:1' }] }, ''],
  ['television', { ssdp: [{ friendlyName: '客厅电视' }] }, ''],
  ['synology', {}, 'Synology'],
  ['hikvision', {}, 'Hangzhou Hikvision Digital Technology'],
  // A NAS with a media server, whatever comes first.
  ['synology', { services: [web({ title: 'Jellyfin' }), web({ title: 'Synology DiskStation' })] }, ''],
  // A machine with a page and SSH may be anything.
  [undefined, { services: [web({ title: 'Portainer' }), web({ protocol: 'ssh' })] }, ''],
  // What a host says of itself counts more than its network card.
  ['openwrt', { services: [web({ title: 'LuCI' })] }, 'Synology'],
])('a host is %s by %j and the vendor %j', (kind, fields, vendor) => {
  expect(recognizeHost({ ...bare, ...fields }, vendor)).toBe(kind);
});

test('every rule names a kind with at least one clue', () => {
  for (const { kind, ...clues } of rules) {
    expect(Object.keys(lanKinds)).toContain(kind);
    expect(Object.keys(clues), kind).not.toHaveLength(0);
  }
});

test('a host is called what people call it, not by an id, and without the suffix of its router', () => {
  const nameOf = (fields: Partial<SeenHost>) => describeHost({ ...bare, ...fields }, '').name;
  expect(nameOf({ names: ['nas.lan'] })).toBe('nas');
  expect(nameOf({ names: ['tv-1.local'], ssdp: [{ friendlyName: '客厅的电视' }] })).toBe('客厅的电视');
  expect(nameOf({ mdns: [{ type: '_googlecast._tcp', name: 'a', txt: ['fn=卧室音箱'] }] })).toBe('卧室音箱');
  expect(nameOf({ names: ['0123456789abcdef0123456789abcdef', 'printer'] })).toBe('printer');
  expect(nameOf({})).toBe('');
});

test('whatever a device sends, what is stored is short, visible and well-formed', () => {
  const text = anyText(120);
  const hostile = fc.record({ title: text, banner: text, server: text, realm: text, name: text });
  fc.assert(
    fc.property(hostile, ({ name, ...fields }) => {
      const host = describeHost({ ...bare, names: [name], services: [web({ ...fields, protocol: 'http' })] }, '');
      for (const stored of [host.name, ...host.services.map(({ title }) => title)]) {
        expect(stored.length).toBeLessThanOrEqual(80);
        expect(stored).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }
    }),
  );
});
