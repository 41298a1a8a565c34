import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { ChildGroup } from '../../e2e/support/product/child-group.ts';
import { nodeScript, productEnvironment, repository, startProduct } from '../../e2e/support/product/product.ts';
import { inNamespace, serverIp } from './namespaces.ts';
import type { Setup, Tunnel } from './tunnels.ts';

/** The product, which runs where this process does, and its agent in the home: by an HTTP mapping and by a TCP mapping. */
export async function startOurs({
  folder,
  homeNamespace,
  webPort,
}: Setup): Promise<AsyncDisposable & { ours: Tunnel[] }> {
  await using parts = new AsyncDisposableStack();
  const product = parts.use(await startProduct({ args: ['--no-local-agent'], dataDir: path.join(folder, 'data') }));
  const client = new ApiClient(product);
  const { token } = await client.logIn();
  const state = path.join(folder, 'agent');
  await mkdir(state);
  const server = `http://${serverIp}:${product.ports.http}`;
  const startAgent = (env: NodeJS.ProcessEnv = {}, options: string[] = []): ChildGroup => {
    const [node, args] = nodeScript('apps/agent/src/main.ts', ['--server', server, '--state', state, ...options]);
    const environment = { ...productEnvironment(), ...env };
    return new ChildGroup('ip', inNamespace(homeNamespace, [node, ...args]), { cwd: repository, env: environment });
  };

  const enrolled = startAgent({ TONGTU_TOKEN: token }, ['--name', 'home']);
  const device = await client.waitForDevice('the agent is online', ({ online }) => online);
  await enrolled[Symbol.asyncDispose]();
  const common = { router: device.id, policy: 'public' } as const;
  const http = await client.createMapping({
    ...common,
    kind: 'http',
    prefix: 'wan',
    target: `http://127.0.0.1:${webPort}`,
  });
  const tcp = await client.createMapping({ ...common, kind: 'tcp', target: `tcp://127.0.0.1:${webPort}` });
  const tunnel = { version: process.version, transport: 'ours', startHome: startAgent } as const;
  const running = parts.move();
  return {
    ours: [
      { ...tunnel, name: 'ours', address: { port: product.ports.http, host: new URL(http.url).host } },
      { ...tunnel, name: 'ours-tcp', address: { port: tcp.port ?? 0, host: 'localhost' } },
    ],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
