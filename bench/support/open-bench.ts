import { must } from '@tongtu/base';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import { enrolDevice } from '../../e2e/support/product/agent.ts';
import { request } from '../../e2e/support/clients/http-request.ts';
import { type Product, startProduct } from '../../e2e/support/product/product.ts';
import type { Address } from './load.ts';
import { type Peers, startPeers } from './peers.ts';
import { startRivals, type Rival } from './rivals.ts';

/** How long and how often a run measures. */
export type Effort = { rounds: number; seconds: number; abortedDownloads: number; idleDevices: number };

export type Bench = AsyncDisposable & {
  effort: Effort;
  product: Product;
  /** The account token that enrols more devices. */
  token: string;
  /** nginx directly, behind haproxy, and through relay and agent: as a verified visitor, and over TCP. */
  nginx: Address;
  haproxy: Address;
  tunnel: Address;
  tunnelTcp: Address;
  /** Of the mapping of `tunnel`. */
  setVisitLog: (days: 0 | 7) => Promise<void>;
  rivals: Rival[];
  versions: Record<string, string>;
};

/** Starts all programs that the lines measure. */
export async function openBench(effort: Effort): Promise<Bench> {
  await using parts = new AsyncDisposableStack();
  const peers: Peers = parts.use(await startPeers());
  const product = parts.use(await startProduct({ args: ['--no-local-agent'] }));
  const client = new ApiClient(product);
  const { token } = await client.logIn();
  const { agent, device } = await enrolDevice(product, client, { token, name: 'bench' });
  parts.use(agent.child);
  const tcp = await client.createMapping({
    router: device.id,
    kind: 'tcp',
    target: `tcp://127.0.0.1:${peers.nginxPort}`,
    policy: 'public',
  });
  const rivals = await startRivals(peers.nginxPort);
  for (const rival of rivals) parts.use(rival);
  const tunnel = await openTunnel({ product, client, deviceId: device.id, nginxPort: peers.nginxPort });
  const mappings = (await client.devices()).flatMap((each) => each.mappings);
  const { id: mappingId } = must(
    mappings.find(({ domain }) => domain === tunnel.host.split(':')[0]),
    'the mapping of the tunnel',
  );
  const running = parts.move();
  return {
    effort,
    product,
    token,
    nginx: { port: peers.nginxPort, host: 'localhost' },
    haproxy: { port: peers.haproxyPort, host: 'localhost' },
    tunnel,
    tunnelTcp: { port: tcp.port ?? 0, host: 'localhost' },
    setVisitLog: async (days) => {
      const reply = await client.call('PATCH', `/api/user/records/${mappingId}/`, { visit_log_days: days });
      if (reply.status !== 200) throw new Error(`the option was answered ${reply.status}`);
    },
    rivals,
    versions: {
      node: process.version,
      ...peers.versions,
      ...Object.fromEntries(rivals.map((r) => [r.name, r.version])),
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * A mapping that requires verification, and a verified visitor: so every line includes the cost of the access check.
 */
export async function openTunnel(home: {
  product: Product;
  client: ApiClient;
  deviceId: number;
  nginxPort: number;
  prefix?: string;
}): Promise<Address> {
  const { product, client, deviceId, nginxPort } = home;
  const target = `http://127.0.0.1:${nginxPort}`;
  const { prefix = 'bench' } = home;
  const mapping = await client.createMapping({ router: deviceId, kind: 'http', prefix, target });
  return await verifyVisitor(product, client, mapping.url);
}

/** The owner as a visitor of an address. */
export async function verifyVisitor(product: Product, client: ApiClient, url: string): Promise<Address> {
  const check = await client.call('GET', `/custom/check?url=${encodeURIComponent(url)}`);
  const { redirect } = check.json as { redirect: string }; // the caller owns the mapping
  const { host, pathname, search } = new URL(redirect);
  const verified = await request({ port: product.ports.http, host, path: pathname + search });
  const cookie = verified.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`the verification was answered ${verified.status}`);
  return { port: product.ports.http, host, headers: { cookie } };
}
