import { mkdir, mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@tongtu/base/testing/free-port';
import { Children, versionOf, waitForPort } from './children.ts';

export type Peers = AsyncDisposable & {
  /** The web server behind every tunnel. */
  nginxPort: number;
  /** haproxy in http mode before it: the cost of one hop in C. */
  haproxyPort: number;
  versions: Record<string, string>;
};

const MEGABYTE = 1024 * 1024;

/** nginx with `/1k`, `/256m` and `/1g`, and haproxy before it, each with one worker, on loopback. */
export async function startPeers(): Promise<Peers> {
  const versions = {
    nginx: versionOf('nginx', '-v'),
    haproxy: versionOf('haproxy', '-v'),
    wrk: versionOf('wrk', '-v'),
  };
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-bench-'));
  const [nginxPort = 0, haproxyPort = 0] = await freePorts(2);
  await makeFiles(path.join(dir, 'www'));
  await writeFile(path.join(dir, 'nginx.conf'), nginxConfig(dir, nginxPort));
  await writeFile(path.join(dir, 'haproxy.cfg'), haproxyConfig(nginxPort, haproxyPort));
  const children = new Children();
  children.start('nginx', ['-p', dir, '-c', path.join(dir, 'nginx.conf'), '-e', 'stderr']);
  children.start('haproxy', ['-db', '-f', path.join(dir, 'haproxy.cfg')]);
  await Promise.all([nginxPort, haproxyPort].map(waitForPort));
  return { nginxPort, haproxyPort, versions, [Symbol.asyncDispose]: () => children[Symbol.asyncDispose]() };
}

async function makeFiles(www: string): Promise<void> {
  await mkdir(www);
  await writeFile(path.join(www, '1k'), 'x'.repeat(1024));
  await makeSparse(path.join(www, '256m'), 256 * MEGABYTE);
  await makeSparse(path.join(www, '1g'), 1024 * MEGABYTE);
}

/** A sparse file: its zeros are sent like other bytes, but take no disk space. */
async function makeSparse(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'w');
  await handle.truncate(bytes);
  await handle.close();
}

function nginxConfig(dir: string, port: number): string {
  return `worker_processes 1; daemon off; pid ${dir}/nginx.pid; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; sendfile on; default_type application/octet-stream;
  client_body_temp_path ${dir}; proxy_temp_path ${dir}; fastcgi_temp_path ${dir}; uwsgi_temp_path ${dir}; scgi_temp_path ${dir};
  server { listen 127.0.0.1:${port}; root ${dir}/www; } }
`;
}

function haproxyConfig(target: number, port: number): string {
  return `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
frontend visitors
  bind 127.0.0.1:${port}
  default_backend web
backend web
  server nginx 127.0.0.1:${target}
`;
}
