import { once } from 'node:events';
import http, { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { must } from '@tongtu/base';
import { LiveStatistics, type Mapping, Statistics, type Visit } from '@tongtu/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { type Product, startProduct } from './support/product/product.ts';

/** A web service with uploads, answers of 10 000 bytes and an endless event stream, which counts its bytes. */
async function startSite() {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests++;
    incoming.resume();
    if (incoming.url === '/events')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    else incoming.on('end', () => response.end(Buffer.alloc(10_000)));
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sum = (read: (socket: Socket) => number) => [...sockets].reduce((total, socket) => total + read(socket), 0);
  return {
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    get requests() {
      return requests;
    },
    get bytesIn() {
      return sum((socket) => socket.bytesRead);
    },
    get bytesOut() {
      return sum((socket) => socket.bytesWritten);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let product: Product;
let client: ApiClient;

beforeAll(async () => {
  product = await startProduct();
  client = new ApiClient(product);
  await client.logIn();
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

async function map(prefix: string, site: { target: string }, options: { visit_log_days?: 7 } = {}): Promise<Mapping> {
  const { device } = await client.waitForWelcomeDevice();
  const mapping = await client.createMapping({
    router: device.id,
    kind: 'http',
    prefix,
    target: site.target,
    policy: 'public',
    ...options,
  });
  // The relay receives the change a moment later.
  await expect.poll(async () => (await visit(mapping, {})).status).toBe(200);
  return mapping;
}

const visit = (mapping: Mapping, upload: { body?: Buffer }) =>
  request({
    port: product.ports.http,
    path: '/',
    host: mapping.domain,
    method: upload.body ? 'POST' : 'GET',
    ...upload,
  });

/** What the screen of the statistics shows of a mapping: of yesterday and today, and of the last five minutes. */
async function statisticsOf(mapping: Mapping) {
  const { json } = await client.call('GET', `/api/user/statistics/?unit=day&points=2&mapping=${mapping.id}`);
  const { total, top_places: places } = Statistics.parse(json);
  const { bytes_in, bytes_out, requests, ok, failed, networks, visitors, is_exact } = total;
  const { json: live } = await client.call('GET', `/api/user/statistics/live/?mapping=${mapping.id}`);
  const { points } = LiveStatistics.parse(live);
  const sumOf = (read: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + read(point), 0);
  return {
    total: { bytes_in, bytes_out, requests, ok, failed, networks, visitors, is_exact },
    live: {
      bytes_in: sumOf((point) => point.bytes_in),
      bytes_out: sumOf((point) => point.bytes_out),
      requests: sumOf((point) => point.requests),
    },
    inPlaces: places.reduce((sum, place) => sum + place.requests, 0),
  };
}

async function openEvents(mapping: Mapping): Promise<IncomingMessage> {
  const outgoing = http.get({
    port: product.ports.http,
    path: '/events',
    host: '127.0.0.1',
    headers: { host: mapping.domain },
  });
  outgoing.on('error', () => {}); // it is cut
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(incoming, 'data');
  incoming.on('error', () => {});
  return incoming;
}

test('disabling a mapping ends its connections and does not affect another mapping', async () => {
  await using site = await startSite();
  const [first, second] = [await map('first', site), await map('second', site)];
  const [cut, kept] = [await openEvents(first), await openEvents(second)];
  const ended = new Promise((resolve) => cut.once('close', resolve));
  const reply = await client.call('PATCH', `/api/user/records/${first.id}/`, { enabled: false });
  expect(reply.status).toBe(200);
  await ended;
  expect(kept.destroyed).toBe(false);
  expect((await visit(first, {})).status).toBe(403);
  kept.destroy();
});

/** All visits of a mapping that its log has, the newest first. */
async function readVisitorLog({ id }: Mapping): Promise<Visit[]> {
  const reply = await client.call('GET', `/api/user/records/${id}/visits/?limit=500`);
  return (reply.json as { results: Visit[] }).results;
}

test('every byte and request is counted once and is in the visitor log, also those right before a stop', async () => {
  saveLogOnFailure('usage-before', product.child);
  await using site = await startSite();
  const mapping = await map('counted', site, { visit_log_days: 7 });
  for (let visits = 0; visits < 20; visits++) await visit(mapping, { body: Buffer.alloc(5_000) });
  product.child.signalLeader('SIGTERM');
  await product.child.exited;

  product = await startProduct({ dataDir: product.dataDir, ports: product.ports });
  saveLogOnFailure('usage-after', product.child);
  client = new ApiClient(product);
  await client.logIn();
  const mappings = (await client.devices()).flatMap((device) => device.mappings);
  const { usage_24h: usage } = must(
    mappings.find(({ id }) => id === mapping.id),
    'the mapping',
  );
  const counted = { bytes_in: site.bytesIn, bytes_out: site.bytesOut, requests: site.requests };
  expect(usage).toEqual(counted);
  expect(await statisticsOf(mapping)).toEqual({
    total: { ...counted, ok: site.requests, failed: 0, networks: 1, visitors: 0, is_exact: true },
    live: counted,
    inPlaces: site.requests,
  });
  expect(site.bytesIn).toBeGreaterThan(20 * 5_000);
  const visits = (await readVisitorLog(mapping)).filter(({ outcome }) => outcome === 'served');
  expect(visits).toHaveLength(site.requests);
  const uploads = visits.filter(({ method }) => method === 'POST');
  expect(uploads).toHaveLength(20);
  for (const upload of uploads) {
    expect(upload).toMatchObject({ path: '/', status: 200, who: 'public' });
    expect(upload.bytes_in).toBeGreaterThanOrEqual(5_000);
  }
  const sum = (name: 'bytes_in' | 'bytes_out') => visits.reduce((total, visit) => total + visit[name], 0);
  expect([sum('bytes_in'), sum('bytes_out')]).toEqual([site.bytesIn, site.bytesOut]);
});
