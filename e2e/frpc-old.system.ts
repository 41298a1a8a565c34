import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FrpcConfiguration } from '@tongtu/contract';
import { freePort } from '@tongtu/base/testing/free-port';
import { expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { request } from './support/clients/http-request.ts';
import { freshFolder, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

/** As in OpenWrt 22.03 and iStoreOS: without TLS unless its file says otherwise. */
const VERSION = '0.44.0';
const BUILD_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

const go = ['go', '/usr/local/go/bin/go'].find((program) => spawnSync(program, ['version']).status === 0);

/** The unmodified program from the Go module proxy, built once on each machine. */
async function buildFrpc(program: string): Promise<string> {
  const file = path.join(tmpdir(), `tongtu-frpc-${VERSION}`);
  const isBuilt = await access(file).then(
    () => true,
    () => false,
  );
  if (isBuilt) return file;
  const { stdout } = await run(program, ['mod', 'download', '-json', `github.com/fatedier/frp@v${VERSION}`]);
  const { Dir } = JSON.parse(stdout) as { Dir: string }; // as `go help mod download` says
  const env = { ...process.env, CGO_ENABLED: '0' };
  await run(program, ['build', '-C', Dir, '-o', file, './cmd/frpc'], { env });
  return file;
}

// Building takes 45 s of processor time. In CI the recorded conversation of this version stands for it (packages/frp).
test.skipIf(go === undefined || process.env['CI'] === 'true')(
  `frpc ${VERSION} comes online with the text of the console, and says so when it has no TLS`,
  { timeout: BUILD_TIMEOUT_MS },
  async () => {
    const frpc = await buildFrpc(go ?? '');
    const env = { FRP_PORT: String(await freePort()) };
    await using product = await startProduct({ env, args: ['--no-local-agent'] });
    const client = new ApiClient(product);
    await client.logIn();
    const added = await client.call('POST', '/api/user/frpc_devices/', { name: '旧路由器' });
    const { ini, device_id: router } = FrpcConfiguration.parse(added.json);
    const lan = http.createServer((_request, response) => response.end('the page of the NAS')).listen(0, '127.0.0.1');
    await once(lan, 'listening');
    const { port } = lan.address() as AddressInfo; // it listens on TCP
    const target = `http://127.0.0.1:${port}`;
    await client.createMapping({ router, kind: 'http', prefix: 'nas', target, policy: 'public' });

    const folder = await freshFolder('frpc');
    const start = async (name: string, text: string) => {
      const file = path.join(folder, name);
      await writeFile(file, text);
      return spawn(frpc, ['-c', file], { stdio: 'ignore' });
    };
    const plain = await start('plain.ini', ini.replace('tls_enable = true\n', ''));
    const attempts = async () =>
      (await client.call('GET', '/api/user/device_attempts/?within_seconds=60')).text.includes('frpc_no_tls');
    await waitFor('the attempt without TLS is known', 20_000, attempts);
    plain.kill('SIGKILL');

    const program = await start('frpc.ini', ini);
    await client.waitForDevice('the old frpc is online', ({ online }) => online);
    const host = `nas.localhost:${product.ports.http}`;
    const page = await request({ port: product.ports.http, path: '/', host });
    expect(page.body.toString()).toBe('the page of the NAS');
    program.kill('SIGKILL');
    lan.closeAllConnections();
    lan.close();
  },
);
