import {
  type FakeZones,
  type ProviderAnswer,
  type ProviderRequest,
  type FakeDnsProvider,
  startFakeDnsProvider,
} from './fake-dns-provider.ts';

export const cloudflareToken = 'token-of-the-test';

/** Cloudflare's API as its documentation describes it. */
export async function startFakeCloudflareDns(zones: FakeZones): Promise<FakeDnsProvider> {
  return await startFakeDnsProvider((request) => {
    if (request.headers.authorization === `Bearer ${cloudflareToken}`) return act(request, zones);
    return refused(403, 9109, 'Invalid access token');
  });
}

function act({ method, url, body }: ProviderRequest, zones: FakeZones): ProviderAnswer {
  const path = /^\/client\/v4\/zones(?:\/zone-(.+)\/dns_records(?:\/(\d+))?)?$/.exec(url.pathname);
  if (!path) return refused(404, 7000, 'No route for that URI');
  const [, zone, id] = path;
  if (zone === undefined) return listZones(url, zones);
  if (method === 'GET') {
    const name = url.searchParams.get('name') ?? '';
    const found = zones.at(zone, name.slice(0, -zone.length - 1), url.searchParams.get('type') ?? '');
    return done({ result: found.map((record) => ({ id: String(record.id), content: `"${record.value}"` })) });
  }
  if (method === 'DELETE') return zones.remove(Number(id)) ? done({}) : refused(404, 81044, 'Record does not exist.');
  const input = JSON.parse(body) as Record<'type' | 'name' | 'content', string>; // the product's own call
  const host = input.name.slice(0, -zone.length - 1);
  const value = input.content.replaceAll('"', '');
  if (zones.at(zone, host, input.type).some((record) => record.value === value))
    return refused(400, 81058, 'An identical record already exists.');
  const added = zones.add({ zone, host, type: input.type, value });
  return done({ result: { id: String(added.id) } });
}

function listZones(url: URL, zones: FakeZones): ProviderAnswer {
  const size = Number(url.searchParams.get('per_page'));
  const page = Number(url.searchParams.get('page'));
  const result = zones.names.slice((page - 1) * size, page * size).map((name) => ({ id: `zone-${name}`, name }));
  return done({ result, result_info: { page, total_pages: Math.ceil(zones.names.length / size) } });
}

function done(body: object): ProviderAnswer {
  return { status: 200, body: { success: true, errors: [], ...body } };
}

function refused(status: number, code: number, message: string): ProviderAnswer {
  return { status, body: { success: false, errors: [{ code, message }] } };
}
