import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@tongtu/base/testing/free-port';

/** Where Debian's xrdp puts it. */
export const RDP_SERVER = '/usr/sbin/xrdp';

const POLL_MS = 50;

export type RdpServer = AsyncDisposable & { port: number };

/** A real RDP server whose desktop is that of a VNC server. The VNC server's password is the RDP password. */
export async function startRdpServer(
  vncPort: number,
  { security = 'tls' }: { security?: 'tls' | 'rdp' } = {},
): Promise<RdpServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rdp-'));
  const port = await freePort();
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => path.join(folder, name));
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=desktop', '-days', '30'].concat([
      '-keyout',
      key ?? '',
      '-out',
      certificate ?? '',
    ]),
    { stdio: 'ignore' },
  );
  const config = path.join(folder, 'xrdp.ini');
  writeFileSync(config, configuration({ folder, port, vncPort, security, certificate, key }));
  const server = spawn(RDP_SERVER, ['--nodaemon', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(server, 'exit');
  while (!(await isListening(port))) {
    if (server.exitCode !== null) throw new Error(`xrdp has ended: ${log}`);
    await pause(POLL_MS);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // not yet
  } finally {
    socket.destroy();
  }
}

type Configuration = Record<'folder' | 'security', string> &
  Record<'port' | 'vncPort', number> & {
    certificate: string | undefined;
    key: string | undefined;
  };

function configuration({ folder, port, vncPort, security, certificate, key }: Configuration): string {
  return [
    '[Globals]',
    'ini_version=1',
    'fork=true',
    `port=tcp://127.0.0.1:${port}`,
    'tcp_nodelay=true',
    `security_layer=${security}`,
    'crypt_level=high',
    `certificate=${certificate}`,
    `key_file=${key}`,
    'ssl_protocols=TLSv1.2, TLSv1.3',
    'autorun=desktop',
    'allow_channels=true',
    'bitmap_cache=true',
    'bitmap_compression=true',
    'max_bpp=32',
    'use_fastpath=both',
    '[Logging]',
    `LogFile=${path.join(folder, 'xrdp.log')}`,
    'LogLevel=INFO',
    'EnableSyslog=false',
    '[Channels]',
    'drdynvc=true',
    'cliprdr=true',
    '[desktop]',
    'name=desktop',
    'lib=libvnc.so',
    'ip=127.0.0.1',
    `port=${vncPort}`,
    'username=na',
    'password=ask',
    '',
  ].join('\n');
}
