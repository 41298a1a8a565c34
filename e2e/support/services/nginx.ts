import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { findProgram, thisMachine } from '../../../tools/testing/system-requirements.ts';
import { ChildGroup } from '../product/child-group.ts';
import { freePorts } from '@tongtu/base/testing/free-port';
import { request } from '../clients/http-request.ts';
import { drawPng } from '../browser/png.ts';
import { freshFolder } from '../product/product.ts';
import { waitFor } from '../wait-for.ts';

export type LanSite = AsyncDisposable & {
  port: number;
  target: string;
  /** Here every connection must begin with a PROXY protocol header; the answer shows its content. */
  proxyProtocolPort: number;
  bigFileSha256: string;
  imageWidth: number;
};

const BIG_FILE_BYTES = 50 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const IMAGE_WIDTH = 320;

const index = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>家庭相册</title>
<link rel="stylesheet" href="/style.css"><h1>家庭相册</h1><img id="image" src="/image.png" alt="照片"><a href="/second/">下一页</a></html>`;
const second = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>第二页</title><h1>第二页</h1></html>`;

/**
 * A real web server of a LAN: Debian's nginx as an ordinary process, with pages, an image and a 50 MB
 * file. `directives` are added to those of its web site.
 */
export async function startNginx({ directives = '' }: { directives?: string } = {}): Promise<LanSite> {
  const nginx = findProgram(thisMachine, 'nginx');
  if (nginx === undefined) throw new Error('nginx is missing; `npm test` installs it or says how');
  const prefix = await freshFolder('nginx');
  const [port, proxyProtocolPort] = (await freePorts(2)) as [number, number]; // two were asked for
  const bigFileSha256 = await writeSite(path.join(prefix, 'html'));
  await mkdir(path.join(prefix, 'temp'));
  await writeFile(path.join(prefix, 'nginx.conf'), configuration({ port, proxyProtocolPort, directives }, prefix));
  const child = new ChildGroup(nginx, ['-p', prefix, '-c', 'nginx.conf', '-e', 'error.log'], {
    cwd: prefix,
    env: process.env,
  });
  await waitFor('nginx answers', 30_000, async () => (await request({ port, path: '/' })).status === 200);
  return {
    port,
    proxyProtocolPort,
    target: `http://127.0.0.1:${port}`,
    bigFileSha256,
    imageWidth: IMAGE_WIDTH,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

type Site = { port: number; proxyProtocolPort: number; directives: string };

function configuration({ port, proxyProtocolPort, directives }: Site, prefix: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // As root the workers would run as nobody, who may not read root's folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off; worker_processes 1; pid nginx.pid;
events { worker_connections 512; }
http {
  types { text/html html; text/css css; image/png png; }
  default_type application/octet-stream;
  access_log off; sendfile on;
  ${temporary.map((name) => `${name}_temp_path temp/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${prefix}/html; ${directives} }
  server {
    listen 127.0.0.1:${proxyProtocolPort} proxy_protocol;
    return 200 "visitor $proxy_protocol_addr:$proxy_protocol_port came to $proxy_protocol_server_addr:$proxy_protocol_server_port";
  }
}`;
}

async function writeSite(root: string): Promise<string> {
  await mkdir(path.join(root, 'second'), { recursive: true });
  await writeFile(path.join(root, 'index.html'), index);
  await writeFile(path.join(root, 'second/index.html'), second);
  await writeFile(path.join(root, 'style.css'), 'h1 { color: rgb(1, 2, 3); }');
  await writeFile(path.join(root, 'image.png'), await drawPng(IMAGE_WIDTH, 200));
  return await writeRandomFile(path.join(root, 'big.bin'));
}

async function writeRandomFile(file: string): Promise<string> {
  const hash: Hash = createHash('sha256');
  const out = createWriteStream(file);
  for (let written = 0; written < BIG_FILE_BYTES; written += CHUNK_BYTES) {
    const chunk = randomBytes(CHUNK_BYTES);
    hash.update(chunk);
    out.write(chunk);
  }
  out.end();
  await finished(out);
  return hash.digest('hex');
}
