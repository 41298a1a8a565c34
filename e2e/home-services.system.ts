import { ConnectionCheck, type Mapping } from '@tongtu/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cockpit, cockpitByHttp } from './home-services/cockpit.ts';
import { jupyter } from './home-services/jupyter.ts';
import { next } from './home-services/next.ts';
import { qbittorrent } from './home-services/qbittorrent.ts';
import { registry } from './home-services/registry.ts';
import { standIns } from './home-services/stand-ins.ts';
import type { HomeService } from './home-services/service.ts';
import { transmission } from './home-services/transmission.ts';
import { Visitor } from './home-services/visitor.ts';
import { webdav, webdavByTls } from './home-services/webdav.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { pickPorts, type Ports, type Product, startProduct } from './support/product/product.ts';

/**
 * Services of a home behind the product, with the public and with their own Host: people log in and do what each of them
 * checks by Host, Origin or scheme. The connection test must say of each whether that works, and its offer must mend it.
 */
const all = [
  ...standIns,
  qbittorrent,
  transmission,
  webdav,
  webdavByTls,
  registry,
  cockpit,
  cockpitByHttp,
  jupyter,
  next,
];
const services = all.filter(({ missing }) => missing === undefined);
for (const { name, missing } of all)
  if (missing !== undefined) console.log(`Without ${name}, its tests are skipped: ${missing}`);

/** Where the console says that the mappings are. At 443 the ports are those of a NAT before this machine. */
const places = [
  { name: 'https at port 443', scheme: 'https', portOf: () => '' },
  { name: 'https at another port', scheme: 'https', portOf: ({ tls }: Ports) => `:${tls}` },
  { name: 'http at another port', scheme: 'http', portOf: ({ http }: Ports) => `:${http}` },
] as const;

const running = new AsyncDisposableStack();
const targets = new Map<HomeService, string>();
let mappings = 0;

beforeAll(async () => {
  const start = async (service: HomeService) => targets.set(service, running.use(await service.start()).target);
  await Promise.all(services.map(start));
});

afterAll(async () => await running.disposeAsync());

describe.each(places)('$name', ({ name, scheme, portOf }) => {
  let product: Product;
  let client: ApiClient;
  let router: number;

  beforeAll(async () => {
    const ports = await pickPorts();
    product = await startProduct({ ports, env: { PUBLIC_URL: `${scheme}://localhost${portOf(ports)}` } });
    client = new ApiClient(product);
    await client.logIn();
    router = (await client.waitForWelcomeDevice()).device.id;
  });

  afterAll(async () => await product?.[Symbol.asyncDispose]());

  beforeEach(() => saveLogOnFailure(`home-services-${name.replaceAll(' ', '-')}`, product.child));

  async function map(service: HomeService, host: 'keep' | 'rewrite'): Promise<Mapping> {
    const target = targets.get(service) ?? '';
    const kind = target.startsWith('https:') ? 'https' : 'http';
    const prefix = `home-${++mappings}`;
    return await client.createMapping({ router, kind, prefix, target, policy: 'public', host_header: host });
  }

  async function visit(service: HomeService, { domain }: Mapping): Promise<string> {
    const port = product.ports[scheme === 'https' ? 'tls' : 'http'];
    const visitor = new Visitor({ scheme, authority: `${domain}${portOf(product.ports)}`, port });
    return await service.use(visitor).then(() => 'works', String);
  }

  async function check({ id }: Mapping): Promise<ConnectionCheck> {
    const path = `/api/user/routers/${router}/check_domain_connection/`;
    return ConnectionCheck.parse((await client.call('POST', path, { record: id })).json);
  }

  for (const service of services)
    test.each(['keep', 'rewrite'] as const)(`${service.name}: host_header %s`, async (host) => {
      const mapping = await map(service, host);
      const trouble = service.troubleOf?.({ scheme, hasPort: portOf(product.ports) !== '', host });
      const { ok, hint, visit: compared } = await check(mapping);
      expect({ ok, hint, fix: compared?.fix }).toEqual({
        ok: trouble === undefined,
        hint: expect.stringContaining(trouble?.says ?? ''),
        fix: trouble?.fix ?? null,
      });
      const result = await visit(service, mapping);
      if (trouble === undefined) return expect(result).toBe('works');
      expect(result).not.toBe('works');
      expect((await client.call('PATCH', `/api/user/records/${mapping.id}/`, trouble.fix)).status).toBe(200);
      await expect.poll(() => visit(service, mapping)).toBe('works');
      expect(await check(mapping)).toMatchObject({ ok: true });
    });
});
