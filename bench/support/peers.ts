import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../../e2e/support/free-port.ts';

export type Peers = AsyncDisposable & {
  /** The web server that everything leads to. */
  nginxPort: number;
  /** haproxy in http mode in front of it: what one hop in C costs. */
  haproxyPort: number;
  versions: Record<string, string>;
};

const BIG_BYTES = 256 * 1024 * 1024;

/** nginx with `/1k` and `/256m`, and haproxy before it, each with one worker, on loopback. */
export async function startPeers(): Promise<Peers> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-bench-'));
  const [nginxPort = 0, haproxyPort = 0] = await freePorts(2);
  await makeFiles(path.join(dir, 'www'));
  await writeFile(path.join(dir, 'nginx.conf'), nginxConfig(dir, nginxPort));
  await writeFile(path.join(dir, 'haproxy.cfg'), haproxyConfig(nginxPort, haproxyPort));
  const children = [
    spawn('nginx', ['-p', dir, '-c', path.join(dir, 'nginx.conf'), '-e', 'stderr'], { stdio: 'inherit' }),
    spawn('haproxy', ['-db', '-f', path.join(dir, 'haproxy.cfg')], { stdio: 'inherit' }),
  ];
  await Promise.all([nginxPort, haproxyPort].map(waitForPort));
  return {
    nginxPort,
    haproxyPort,
    versions: { nginx: versionOf('nginx', '-v'), haproxy: versionOf('haproxy', '-v'), wrk: versionOf('wrk', '-v') },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(stop));
    },
  };
}

async function makeFiles(www: string): Promise<void> {
  await mkdir(www);
  await writeFile(path.join(www, '1k'), 'x'.repeat(1024));
  const big = await open(path.join(www, '256m'), 'w');
  await big.truncate(BIG_BYTES); // its zeros are sent like any other bytes
  await big.close();
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

/** The first line that a program says of itself, or that it is missing. */
function versionOf(program: string, flag: string): string {
  const { stdout, stderr, error } = spawnSync(program, [flag], { encoding: 'utf8' });
  if (error) throw new Error(`${program} is not installed (apt-get install nginx haproxy wrk)`, { cause: error });
  return `${stdout}${stderr}`.trim().split('\n')[0] ?? '';
}

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await canConnect(port);
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', () => settle(true));
    socket.on('error', () => settle(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
