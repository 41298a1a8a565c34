import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { selfSigned } from '../testing/self-signed.ts';
import type { PortKind } from './common-ports.ts';
import { faviconHash, murmurHash3 } from './favicon-hash.ts';
import { identifyService, pathOfSameService, readCertificate } from './identify-service.ts';
import { parseArpTable } from './arp-table.ts';
import type { Subnet } from './own-subnets.ts';
import { PacedDialer } from './paced-dialer.ts';

const loopback: Subnet = { address: '127.0.0.2', mac: undefined, first: 2_130_706_432, last: 2_130_706_435 };

async function identify(port: number, kind: PortKind) {
  const dialer = new PacedDialer({ subnets: [loopback], signal: new AbortController().signal });
  const { port: _, ...seen } = await identifyService(dialer, { address: '127.0.0.1', port, kind });
  return seen;
}

async function serveWeb(listener: RequestListener, { tls }: { tls: boolean }) {
  const certificate = tls ? await selfSigned('Synology Inc.') : undefined;
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listening on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each([
  ['SSH-2.0-dropbear\r\n', 'banner', { protocol: 'ssh', banner: 'SSH-2.0-dropbear' }],
  ['RFB 003.008\n', 'banner', { protocol: 'vnc', banner: 'RFB 003.008' }],
  ['220 ProFTPD Server\r\n', 'banner', { protocol: 'ftp', banner: '220 ProFTPD Server' }],
  ['\u{0}\u{1}garbage', 'banner', { protocol: '', banner: 'garbage' }],
  ['', 'silent', { protocol: '' }],
] as const)('%j by %s is %j', async (banner, kind, seen) => {
  await using service = await startLanService((socket) => void socket.write(banner));
  expect(await identify(service.port, kind)).toEqual(seen);
});

test('a remote desktop is known by its answer to a connection request, a video stream by its server', async () => {
  await using desktop = await startLanService((socket) => {
    socket.once('data', () => socket.write(Buffer.from('030000130ed000001234000209080002000000', 'hex')));
  });
  expect(await identify(desktop.port, 'rdp')).toEqual({ protocol: 'rdp' });
  await using camera = await startLanService((socket) => {
    socket.once('data', () => socket.write('RTSP/1.0 200 OK\r\nCSeq: 1\r\nServer: Hikvision\r\n\r\n'));
  });
  expect(await identify(camera.port, 'rtsp')).toEqual({ protocol: 'rtsp', server: 'Hikvision' });
});

test('a page over TLS shows its title, its certificate and its icon, also on a port that usually is plain', async () => {
  await using nas = await serveWeb(
    ({ url }, response) => {
      response.setHeader('server', 'nginx');
      if (url === '/favicon.ico') return void response.setHeader('content-type', 'image/x-icon').end('icon');
      response.setHeader('content-type', 'text/html').end('<title>DSM</title>');
    },
    { tls: true },
  );
  for (const kind of ['https', 'http'] as const) {
    expect(await identify(nas.port, kind)).toEqual({
      ...{ protocol: 'https', status: 200, title: 'DSM', server: 'nginx' },
      ...{ certificate: ['Synology Inc.'], favicon: faviconHash(Buffer.from('icon')) },
    });
  }
});

test('a redirect to another host is not followed, one to the same service is', async () => {
  let elsewhereCount = 0;
  await using elsewhere = await serveWeb((_request, response) => void (elsewhereCount++, response.end()), {
    tls: false,
  });
  await using web = await serveWeb(
    ({ url }, response) => {
      if (url === '/') return void response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
      response.writeHead(404).end();
    },
    { tls: false },
  );
  expect(await identify(web.port, 'http')).toMatchObject({ protocol: 'http', status: 302 });
  expect(elsewhereCount).toBe(0);
  const at = { protocol: 'http', address: '192.168.1.2', port: 80 } as const;
  expect(pathOfSameService('cgi-bin/luci', at, '/a/')).toBe('/a/cgi-bin/luci');
  expect(pathOfSameService('http://192.168.1.2/x y', at, '/')).toBe('/x%20y');
  for (const link of ['//8.8.8.8/', 'https://192.168.1.2/', 'http://192.168.1.2:81/', 'http://a@8.8.8.8/', 'file:///a'])
    expect(pathOfSameService(link, at, '/'), link).toBeUndefined();
});

test('a WebDAV server is known by its DAV header, and a login by its realm', async () => {
  await using dav = await serveWeb(
    ({ method }, response) => {
      if (method === 'OPTIONS') return void response.writeHead(200, { dav: '1,2' }).end();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="my files"' }).end();
    },
    { tls: false },
  );
  expect(await identify(dav.port, 'http')).toMatchObject({ status: 401, realm: 'my files', isWebdav: true });
});

test('a service that never answers and one that floods are still services', async () => {
  await using silent = await startLanService(() => {});
  expect(await identify(silent.port, 'http')).toEqual({ protocol: '' });
  const chunk = Buffer.alloc(65_536, 'x');
  await using flood = await startLanService((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n<title>much</title>');
    const more = () => void (socket.writable && socket.write(chunk, () => setImmediate(more)));
    more();
  });
  expect(await identify(flood.port, 'http')).toMatchObject({ protocol: 'http', title: 'much' });
});

test('a closed port is no service', async () => {
  const service = await startLanService(() => {});
  await service[Symbol.asyncDispose]();
  await expect(identify(service.port, 'http')).rejects.toMatchObject({ failure: 'refused' });
});

test('hashes are MurmurHash3, of icons as search engines compute it', () => {
  // Vectors of the reference implementation (smhasher), seed 0.
  expect(murmurHash3(Buffer.from(''))).toBe(0);
  expect(murmurHash3(Buffer.from('test'))).toBe(0xba_6b_d2_13 | 0);
  expect(murmurHash3(Buffer.from('Hello, world!'))).toBe(0xc0_36_3e_43 | 0);
  expect(murmurHash3(Buffer.from('The quick brown fox jumps over the lazy dog'))).toBe(0x2e_4f_f7_23 | 0);
  expect(faviconHash(Buffer.from('test'))).toBe(murmurHash3(Buffer.from('dGVzdA==\n')));
  expect(faviconHash(Buffer.alloc(60))).toBe(murmurHash3(Buffer.from(`${'A'.repeat(76)}\nAAAA\n`)));
});

test('a certificate with a name twice, none or hostile ones gives short texts', () => {
  expect(readCertificate({})).toEqual([]);
  const subject = { CN: ['a', 'b'] as unknown as string, O: 'x'.repeat(999), C: '', ST: '', L: '', OU: '' };
  expect(readCertificate({ subject, subjectaltname: 'DNS:nas.local, IP Address:1.2.3.4' })).toEqual([
    'a',
    'b',
    'x'.repeat(120),
    'nas.local',
  ]);
});

test('of the ARP table those count that have answered', () => {
  const table = `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.1      0x1         0x2         A0:b1:c2:d3:e4:f5     *        br-lan
192.168.1.2      0x1         0x0         00:00:00:00:00:00     *        br-lan
garbage
192.168.1.3      0x1         0x2         zz:b1:c2:d3:e4:f5     *        br-lan
`;
  expect(parseArpTable(table)).toEqual([{ address: '192.168.1.1', mac: 'a0:b1:c2:d3:e4:f5' }]);
  expect(parseArpTable('')).toEqual([]);
});
