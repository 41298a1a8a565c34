import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { must } from '@tongtu/base';
import { freePorts } from '@tongtu/base/testing/free-port';
import type { FrpcAccount, FrpcConfiguration } from '@tongtu/contract';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { Children, waitForPort } from '../support/children.ts';
import { type Address, downloadRate } from '../support/load.ts';
import { type Bench, openTunnel, verifyVisitor } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const PATH = '/256m';

/**
 * A download through the same frpc at our relay and at frps, in turns: by a proxy of its own file, and by the plugin
 * http_proxy. Without FRP_DIR there is nothing to measure.
 */
export async function measureFrpc(bench: Bench): Promise<Line[]> {
  const { FRP_DIR: frpDir } = process.env;
  if (!frpDir) return [];
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-frpc-'));
  await using children = new Children();
  const start = async (name: string, text: string): Promise<void> => {
    const file = path.join(dir, `${name}.toml`);
    await writeFile(file, text);
    children.start(path.join(frpDir, name === 'frps' ? 'frps' : 'frpc'), ['-c', file]);
  };
  const ours = await startOurs(bench, start);
  const theirs = await startFrps(bench.nginx.port, start);
  const lines = (['own proxy', 'plugin http_proxy'] as const).map((way): Line => {
    return { name: `256 MB download by frpc, ${way} ÷ frps`, unit: '×', target: '≥ 1.0', values: [] };
  });
  const pairs = [
    [ours.own, theirs.own],
    [ours.plugin, theirs.plugin],
  ] as const;
  for (const [own, other] of pairs) for (const address of [own, other]) await downloadRate(address, PATH, 1); // warm-up
  for (let round = 0; round < bench.effort.rounds; round++) {
    for (const [index, [own, other]] of pairs.entries()) {
      const base = await downloadRate(other, PATH, 1);
      must(lines[index], 'a line').values.push((await downloadRate(own, PATH, 1)) / base);
    }
  }
  return lines;
}

type Start = (name: string, text: string) => Promise<void>;
type Ways = { own: Address; plugin: Address };

async function startOurs({ product, nginx }: Bench, start: Start): Promise<Ways> {
  const client = new ApiClient(product);
  await client.logIn();
  const account = (await client.call('POST', '/api/user/frpc_account/')).json as FrpcAccount; // the API's schema
  const web = `[[proxies]]\nname = "web"\ntype = "http"\nlocalPort = ${nginx.port}\nsubdomain = "own"\n`;
  await start('own', `${account.toml}${web}`);
  const added = await client.call('POST', '/api/user/frpc_devices/', { name: 'plugin' });
  const configuration = added.json as FrpcConfiguration; // the API's schema
  await start('plugin', configuration.toml);
  const deviceId = configuration.device_id;
  await client.waitForDevice('the plugin is online', ({ id, online }) => id === deviceId && online);
  const own = await client.waitForDevice(
    'the proxy is a mapping',
    ({ mappings, online }) => online && mappings.some(({ frpc_proxy: proxy }) => proxy === 'web'),
  );
  return {
    own: await verifyVisitor(product, client, must(own.mappings[0], 'the mapping').url),
    plugin: await openTunnel({ product, client, deviceId, nginxPort: nginx.port, prefix: 'plugin' }),
  };
}

/** With its defaults. The plugin needs a visitor that knows the target: a port of frps leads to it by CONNECT. */
async function startFrps(nginxPort: number, start: Start): Promise<Ways> {
  const [bindPort = 0, httpPort = 0, pluginPort = 0] = await freePorts(3);
  await start('frps', `bindAddr = "127.0.0.1"\nbindPort = ${bindPort}\nvhostHTTPPort = ${httpPort}\n`);
  await waitForPort(bindPort);
  await start(
    'both',
    `serverAddr = "127.0.0.1"
serverPort = ${bindPort}
[[proxies]]
name = "web"
type = "http"
localPort = ${nginxPort}
customDomains = ["bench.localhost"]
[[proxies]]
name = "plugin"
type = "tcp"
remotePort = ${pluginPort}
plugin.type = "http_proxy"
`,
  );
  await waitForPort(pluginPort);
  return {
    own: { port: httpPort, host: 'bench.localhost' },
    plugin: { port: nginxPort, host: 'localhost', connectPort: pluginPort },
  };
}
