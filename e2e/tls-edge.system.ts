import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { CheckReply, type Device } from '@tongtu/contract';
import { makeCertificate } from '@tongtu/relay/testing/certificate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { hashOf, sendRandom } from './support/clients/port-visitor.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const MB = 1024 * 1024;
const BASE_DOMAIN = 'tongtu.example.com';
const OWN_DOMAIN = 'home.example.net';

let folder: string;
let product: Product;
let client: ApiClient;
let device: Device;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tongtu-certs-'));
  await writeCertificate('console', [BASE_DOMAIN, `*.${BASE_DOMAIN}`]);
  const env = { BASE_DOMAIN, TLS_CERTS_DIR: folder, HTTPS_REDIRECT: 'on', RELAY_PROCESSES: '2' };
  product = await startProduct({ env });
  client = new ApiClient(product);
  await client.logIn();
  ({ device } = await client.waitForWelcomeDevice());
});

afterAll(async () => {
  await product?.[Symbol.asyncDispose]();
});

beforeEach(({ task }) => saveLogOnFailure(`tls-${task.name.slice(0, 30).replaceAll(' ', '-')}`, product.child));

async function writeCertificate(subject: string, names: string[]): Promise<void> {
  const { cert, key } = await makeCertificate({ subject, names });
  await writeFile(path.join(folder, `${subject}.crt`), cert);
  await writeFile(path.join(folder, `${subject}.key`), key);
}

async function visit(servername: string, session?: Buffer): Promise<TLSSocket & Disposable> {
  const socket = connect({
    host: '127.0.0.1',
    port: product.ports.tls,
    servername,
    rejectUnauthorized: false,
    ...(session === undefined ? {} : { session }),
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
}

async function shownName(servername: string): Promise<string> {
  using visitor = await visit(servername);
  return String(visitor.getPeerCertificate().subject.CN);
}

/** Asks both processes, because the system decides which of them accepts a connection. */
async function isShownByAll(servername: string, commonName: string): Promise<boolean> {
  for (let visits = 0; visits < 20; visits++) if ((await shownName(servername)) !== commonName) return false;
  return true;
}

test('the certificate of the name is served, a new one without a restart, and the self-signed one to no other name', async () => {
  expect(await shownName(BASE_DOMAIN)).toBe('console');
  expect(await shownName(`nas.${BASE_DOMAIN}`)).toBe('console');
  expect(await shownName('localhost')).toContain('self-signed');
  await writeCertificate('later', ['later.example.org']);
  await waitFor('the certificate is in use', 30_000, () => isShownByAll('later.example.org', 'later'));
});

test('a TLS session of one relay process is resumed at every other', async () => {
  using first = await visit(BASE_DOMAIN);
  const [session] = (await once(first, 'session')) as [Buffer];
  for (let visits = 0; visits < 20; visits++) {
    using visitor = await visit(BASE_DOMAIN, session);
    expect(visitor.isSessionReused()).toBe(true);
  }
});

test('http is redirected to https, except for IP addresses, which agents and this machine use', async () => {
  const led = await request({ port: product.ports.http, path: '/a?b=c', host: BASE_DOMAIN });
  expect([led.status, led.headers.location]).toEqual([308, `https://${BASE_DOMAIN}:${product.ports.tls}/a?b=c`]);
  const stays = await request({ port: product.ports.http, path: '/api/login_status/', host: '127.0.0.1' });
  expect(stays.status).toBe(200);
});

test('with the redirect to https a ticket is never sent over http, though http was requested', async () => {
  const mine = await client.createMapping({
    router: device.id,
    kind: 'http',
    prefix: 'mine',
    target: 'http://127.0.0.1:9',
    policy: 'owner',
  });
  const url = `http://${mine.domain}:${product.ports.http}/x`;
  const { json } = await client.call('GET', `/custom/check/?url=${encodeURIComponent(url)}`);
  const { redirect = '' } = CheckReply.parse(json);
  expect(new URL(redirect).origin).toBe(`https://mine.${BASE_DOMAIN}:${product.ports.tls}`);
});

test('a TLS passthrough domain shows the certificate of its service, and 100 MB pass each way', async () => {
  const own = await makeCertificate({ subject: 'the device itself', names: [OWN_DOMAIN] });
  const seen: { up?: Promise<string>; down?: Promise<string> } = {};
  const service = createServer({ ...own, allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    seen.up = hashOf(socket);
    seen.down = seen.up.then(() => sendRandom(socket, 100 * MB));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo; // it listens on TCP
  await client.createMapping({
    router: device.id,
    kind: 'https',
    custom_domain: OWN_DOMAIN,
    target: `https://127.0.0.1:${port}`,
    tls_passthrough: true,
    policy: 'public',
  });
  await waitFor('the mapping is known', 30_000, async () => {
    const name = await shownName(OWN_DOMAIN).catch(() => undefined);
    return name === 'the device itself';
  });
  using visitor = await visit(OWN_DOMAIN);
  visitor.allowHalfOpen = true;
  const down = hashOf(visitor);
  const up = await sendRandom(visitor, 100 * MB);
  expect(await seen.up).toBe(up);
  expect(await down).toBe(await seen.down);

  const plain = await request({ port: product.ports.http, path: '/', host: OWN_DOMAIN });
  expect([plain.status, plain.headers.location]).toEqual([308, `https://${OWN_DOMAIN}:${product.ports.tls}/`]);
  service.close();
});
