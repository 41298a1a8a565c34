import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { must } from '@tongtu/base';
import { ConnectionCheck, type Device, type Mapping, type MappingCreate } from '@tongtu/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { freePort } from '@tongtu/base/testing/free-port';
import { startNginx, type LanSite } from './support/services/nginx.ts';
import { askUdp, hashOf, readText, sendRandom, tryPort, visitPort } from './support/clients/port-visitor.ts';
import { startTcpService, startUdpService } from './support/services/port-services.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const MB = 1024 * 1024;

// Below the system's ephemeral ports, and random, so that parallel runs of this test rarely collide.
const firstPort = 20_000 + 100 * randomInt(100);
const lastPort = firstPort + 99;

let product: Product;
let client: ApiClient;
let device: Device;
let nginx: LanSite;

beforeAll(async () => {
  const env = { MAPPING_PORTS: `${firstPort}-${lastPort}` };
  [product, nginx] = await Promise.all([startProduct({ env }), startNginx()]);
  client = new ApiClient(product);
  await client.logIn();
  ({ device } = await client.waitForWelcomeDevice());
});

afterAll(async () => {
  await Promise.all([nginx, product].map((part) => part?.[Symbol.asyncDispose]()));
});

beforeEach(({ task }) => saveLogOnFailure(`ports-${task.name.slice(0, 30).replaceAll(' ', '-')}`, product.child));

type PortMapping = Mapping & { port: number };

/** A mapping of a public port to a port of this machine. */
async function map(kind: 'tcp' | 'udp', targetPort: number, given: Partial<MappingCreate> = {}): Promise<PortMapping> {
  const target = `${kind}://127.0.0.1:${targetPort}`;
  const mapping = await client.createMapping({ router: device.id, kind, target, policy: 'public', ...given });
  return { ...mapping, port: must(mapping.port, 'the port of a TCP or UDP mapping') };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function check(mapping: Mapping): Promise<ConnectionCheck> {
  const path = `/api/user/routers/${device.id}/check_domain_connection/`;
  const reply = await client.call('POST', path, { record: mapping.id });
  return ConnectionCheck.parse(reply.json);
}

test('a service that speaks first, as SSH does, is reached at the public port', async () => {
  await using service = await startTcpService((socket) => {
    socket.write('SSH-2.0-OpenSSH_9.2\r\n');
    socket.once('data', (line) => socket.end(`hello ${String(line)}`));
  });
  const { port, url } = await map('tcp', service.port);
  expect(url).toBe(`tcp://localhost:${port}`);
  const { socket } = await visitPort(port);
  const text = readText(socket);
  await once(socket, 'data');
  socket.write('SSH-2.0-Visitor');
  expect(await text).toBe('SSH-2.0-OpenSSH_9.2\r\nhello SSH-2.0-Visitor');
  socket.destroy();
});

test('a web server behind a plain port serves a large file', async () => {
  const { port } = await map('tcp', nginx.port);
  const { socket } = await visitPort(port);
  socket.write('GET /big.bin HTTP/1.0\r\n\r\n');
  const whole: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => whole.push(chunk));
  await once(socket, 'end');
  const bytes = Buffer.concat(whole);
  const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  expect(createHash('sha256').update(body).digest('hex')).toBe(nginx.bigFileSha256);
  socket.destroy();
});

test('100 MB each way arrive as they were sent, and either side may end first', async () => {
  const seen: { up?: Promise<string>; down?: Promise<string> } = {};
  await using service = await startTcpService((socket) => {
    seen.up = hashOf(socket);
    // The visitor ends its side after the whole upload.
    seen.down = seen.up.then(() => sendRandom(socket, 100 * MB));
  });
  const { port } = await map('tcp', service.port);
  const { socket, closed } = await visitPort(port);
  const down = hashOf(socket);
  const up = await sendRandom(socket, 100 * MB);
  expect(await seen.up).toBe(up);
  expect(await down).toBe(await seen.down);
  expect(await closed).toBeUndefined();
});

test('questions over UDP are answered', async () => {
  await using resolver = await startUdpService((question) => `${question} 192.168.1.10`);
  const { port, url } = await map('udp', resolver.port);
  expect(url).toBe(`udp://localhost:${port}`);
  const answers = await Promise.all(['A nas.lan', 'A router.lan'].map((question) => askUdp(port, question)));
  expect(answers).toEqual(['A nas.lan 192.168.1.10', 'A router.lan 192.168.1.10']);
});

test('the PROXY protocol sends the visitor’s address to a web server that uses it', async () => {
  const { port } = await map('tcp', nginx.proxyProtocolPort, { proxy_protocol: true });
  const { socket } = await visitPort(port);
  const visitorPort = socket.localPort;
  socket.write('GET / HTTP/1.0\r\n\r\n');
  expect(await readText(socket)).toContain(`visitor 127.0.0.1:${visitorPort} came to 127.0.0.1:${port}`);
  socket.destroy();
});

test('an anonymous client is reset, a listed or verified address passes until that is revoked', async () => {
  await using service = await startTcpService((socket) => socket.write('welcome'));
  const mapping = await map('tcp', service.port, { policy: 'owner' });
  const { port } = mapping;
  const isLetIn = async () => {
    const { socket, closed } = await visitPort(port);
    const word = await Promise.race([once(socket, 'data').then(String, () => 'reset'), closed]);
    socket.destroy();
    return word === 'welcome';
  };
  await waitFor(
    'the anonymous client is reset',
    30_000,
    async () => (await (await visitPort(port)).closed) === 'ECONNRESET',
  );
  expect(service.sockets).toEqual([]);

  const list = async (addresses: string[]) =>
    await client.call('PATCH', `/api/user/routers/${device.id}/`, { allow_list: addresses });
  expect((await list(['127.0.0.0/8'])).status).toBe(200);
  await waitFor('the listed address is let in', 30_000, isLetIn);
  const { socket, closed } = await visitPort(port);
  await once(socket, 'data');
  await list([]);
  expect(await closed).toBe('ECONNRESET');

  const verified = await client.call('POST', `/api/user/records/${mapping.id}/verified_ip/`);
  expect(verified.status).toBeLessThan(300);
  await waitFor('the verified address is let in', 30_000, isLetIn);
});

test('a check of a port goes as far as a port goes, and says what holds it up', async () => {
  await using service = await startTcpService(() => {});
  await using resolver = await startUdpService((question) => question);
  const tcp = await map('tcp', service.port);
  const udp = await map('udp', resolver.port);
  await waitFor('both ports are open', 30_000, async () => (await check(tcp)).ok && (await check(udp)).ok);
  expect(await check(tcp)).toMatchObject({ ok: true, step: 'tcp', hint: expect.stringContaining('连接正常') });
  expect(await check(udp)).toMatchObject({ ok: true, step: 'udp', hint: expect.stringContaining('有回应') });
  const nobody = await map('udp', await freePort());
  expect(await check(nobody)).toMatchObject({
    ok: false,
    step: 'udp',
    hint: expect.stringContaining('没有服务在监听'),
  });

  // Mappings get random ports, so each port may be one of theirs.
  const mapped = new Set((await client.devices()).flatMap(({ mappings }) => mappings.map((mapping) => mapping.port)));
  const squattedPort = must(
    range(firstPort, lastPort).find((port) => !mapped.has(port)),
    'a port without a mapping',
  );
  await using squatter = createServer().listen(squattedPort, '::');
  await once(squatter, 'listening');
  const target = `tcp://127.0.0.1:${service.port}`;
  const taken = await client.createMapping({ router: device.id, kind: 'tcp', port: squattedPort, target });
  const hint = `公网端口 ${squattedPort} 被服务器上的其他程序占用`;
  await waitFor('the check names the port', 30_000, async () => (await check(taken)).hint.includes(hint));
});

test('a mapping that is deleted closes its port and cuts what is open', async () => {
  await using service = await startTcpService((socket) => socket.write('welcome'));
  const mapping = await map('tcp', service.port);
  const { socket, closed } = await visitPort(mapping.port);
  await once(socket, 'data');
  expect((await client.call('DELETE', `/api/user/records/${mapping.id}/`)).status).toBe(200);
  expect(await closed).toBe('ECONNRESET');
  await waitFor('the port is closed', 30_000, async () => {
    const visitor = await tryPort(mapping.port);
    visitor?.socket.destroy();
    return visitor === undefined;
  });
});
