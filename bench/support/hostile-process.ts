/**
 * Targets that send what no honest one does, one TCP port for each kind; hostile-targets.ts attacks the gateway by them.
 * A process of its own, so that what they cost does not delay the measurement. It sends its ports to its parent.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createAnswers, listOf } from '@tongtu/gateway/testing/hostile-smb';
import { startSshServer } from '@tongtu/gateway/testing/ssh-server';

const [SFTP_OK, SFTP_UNSUPPORTED] = [0, 8];
const MEGABYTE = 1024 * 1024;
const resource = (href: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:resourcetype/></D:prop>` +
  '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>';
const folder =
  '<D:response><D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>' +
  '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>';
const BEGIN = '<D:multistatus xmlns:D="DAV:">';

const entries = (count: number): string =>
  BEGIN +
  folder +
  Array.from({ length: count }, (_, index) => resource(`/file-${index}`)).join('') +
  '</D:multistatus>';

type Body = (response: ServerResponse) => void;
const whole = (text: string): Body => {
  const bytes = Buffer.from(text);
  return (response) => void response.end(bytes);
};
/** In HTTP chunks of one byte. */
const inPieces = (text: string): Body => {
  const bytes = Buffer.from(
    [...Buffer.from(text)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''),
    'latin1',
  );
  return ({ socket }) => void socket?.write(Buffer.concat([bytes, Buffer.from('0\r\n\r\n')]));
};

/** A server of WebDAV that says the same of every folder, once it has let everybody in. */
async function webdav(list: Body): Promise<number> {
  const login = whole(`${BEGIN}${folder}</D:multistatus>`);
  return await listen(
    createHttpServer((request: IncomingMessage, response) => {
      response.on('error', () => {});
      response.writeHead(207, { 'content-type': 'application/xml' }).flushHeaders();
      (request.headers['depth'] === '0' ? login : list)(response);
    }),
  );
}

async function aria2(answer: Body): Promise<number> {
  return await listen(
    createHttpServer((request, response) => {
      response.on('error', () => {});
      request.resume().once('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        answer(response);
      });
    }),
  );
}

/** Sends the same without end, as fast as it is read. */
function flood(socket: Duplex, bytes: Buffer): void {
  const sendOn = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    socket.once('drain', sendOn);
  };
  sendOn();
}

async function raw(onConnection: (socket: Socket) => void): Promise<number> {
  return await listen(
    createServer((socket) => {
      socket.on('error', () => {});
      onConnection(socket);
    }),
  );
}

async function listen(server: Server | ReturnType<typeof createHttpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // of a TCP server
}

const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 1, atime: 0, mtime: 0 };
const names = Array.from({ length: 5_000 }, (_, index) => ({ filename: `file ${index}`, longname: '', attrs }));
const files = await startSshServer({
  onSftp: (sftp) => {
    sftp.on('error', () => {});
    for (const name of ['STAT', 'LSTAT'] as const)
      sftp.on(name, (id: number) => sftp.attrs(id, { ...attrs, mode: 0o40755 }));
    sftp.on('REALPATH', (id) => sftp.name(id, [{ filename: '/', longname: '', attrs }]));
    sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('h')));
    sftp.on('CLOSE', (id) => sftp.status(id, SFTP_OK));
    sftp.on('EXTENDED', (id) => sftp.status(id, SFTP_UNSUPPORTED));
    sftp.on('READDIR', (id) => sftp.name(id, names));
  },
});
const shell = await startSshServer({ onShell: (channel) => flood(channel, Buffer.alloc(MEGABYTE, 'x\r\n')) });
const smbList = listOf(Array.from({ length: 500 }, (_, index) => `file ${index}`));

const ports = {
  echo: await raw((socket) => socket.setNoDelay(true).pipe(socket)),
  'webdav-name': await webdav(whole(`${BEGIN}${folder}${resource(`/${'n'.repeat(58 * MEGABYTE)}`)}</D:multistatus>`)),
  'webdav-entries': await webdav(whole(entries(200_000))),
  'webdav-pieces': await webdav(inPieces(entries(20_000))),
  'aria2-arrays': await aria2(whole(`{"result":[${'[],'.repeat(MEGABYTE)}[]]}`)),
  'aria2-pieces': await aria2(inPieces(`{"result":"${'x'.repeat(3 * MEGABYTE)}"}`)),
  sftp: files.port,
  smb: await raw((socket) => {
    const answer = createAnswers({ list: () => smbList });
    socket.on('data', (bytes: Buffer) => answer(bytes).forEach((reply) => socket.write(reply)));
  }),
  ssh: shell.port,
  telnet: await raw((socket) => flood(socket, Buffer.alloc(MEGABYTE, Buffer.of(255, 251, 1, 255, 252, 1)))),
  vnc: await raw((socket) => {
    socket.write('RFB 003.008\n');
    flood(socket, Buffer.alloc(MEGABYTE));
  }),
};
export type HostilePorts = typeof ports;
process.send?.(ports);
