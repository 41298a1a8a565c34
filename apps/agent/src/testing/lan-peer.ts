/**
 * A host of a LAN as scans meet it, for `peer-network.ts`: `node lan-peer.ts <own address> <address of the scanner>`.
 * It serves a page, terminals and a description, and announces itself by mDNS and SSDP.
 */
import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import mdns from 'multicast-dns';
import { DESCRIPTION_PORT, TRAP_PORT } from './lan-peer-ports.ts';

const SSDP_PORT = 1900;
const [own = '', scanner = ''] = process.argv.slice(2);

const page = createHttpServer((request, response) => {
  if (request.url !== '/web/') return void response.writeHead(302, { location: '/web/' }).end();
  response.setHeader('content-type', 'text/html');
  // 客厅 in GBK, with the charset in the page alone.
  response.write('<html><head><meta charset="gbk"><title>Jellyfin &amp; ');
  response.end(Buffer.concat([Buffer.from([0xbf, 0xcd, 0xcc, 0xfc]), Buffer.from('</title></head></html>')]));
});
const description = createHttpServer((_request, response) => {
  response.end('<root><device><friendlyName>书房的电视</friendlyName><modelName>TV 1</modelName></device></root>');
});
const ssh = createServer((socket) => socket.on('error', () => {}).write('SSH-2.0-OpenSSH_9.9\r\n'));
const telnet = createServer((socket) => socket.on('error', () => {}).write(Buffer.from([0xff, 0xfd, 0x18])));
const servers = [page.listen(8096, own), description.listen(DESCRIPTION_PORT, own), ssh.listen(22, own)];
servers.push(telnet.listen(23, own));

const responder = mdns({ interface: own, bind: '0.0.0.0' });
responder.on('query', ({ questions = [] }) => {
  if (!questions.some(({ name }) => name === '_ipp._tcp.local')) return;
  const name = 'Laser 一楼._ipp._tcp.local';
  responder.respond({
    answers: [{ name: '_ipp._tcp.local', type: 'PTR', data: name }],
    additionals: [
      { name, type: 'SRV', data: { port: 631, target: 'laser.local' } },
      { name, type: 'TXT', data: [Buffer.from('ty=Laser 9000')] },
      { name: 'laser.local', type: 'A', data: own },
      // Of a host elsewhere, which must never be dialled.
      { name: 'elsewhere.local', type: 'A', data: '192.0.2.77' },
    ],
  });
});

const ssdp = createSocket({ type: 'udp4', reuseAddr: true });
ssdp.on('message', (message, { address, port }) => {
  if (!message.toString().startsWith('M-SEARCH')) return;
  for (const location of [`http://${own}:${DESCRIPTION_PORT}/`, `http://${scanner}:${TRAP_PORT}/`])
    ssdp.send(`HTTP/1.1 200 OK\r\nSERVER: Test/1.0\r\nLOCATION: ${location}\r\n\r\n`, port, address);
});
ssdp.bind(SSDP_PORT, () => {
  ssdp.addMembership('239.255.255.250', own);
  responder.on('ready', () => process.stdout.write('ready\n'));
});
