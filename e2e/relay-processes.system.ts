import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { must } from '@tongtu/base';
import type { Device } from '@tongtu/contract';
import { expect, onTestFinished, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { freePort } from '@tongtu/base/testing/free-port';
import { findProcesses, findRelayPids, findServerPid } from './support/product/processes.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { startTcpVisitors, startVisitors } from './support/clients/visitor-load.ts';
import { waitFor } from './support/wait-for.ts';

const PAGE = 'the page of the NAS';

type Lan = AsyncDisposable & { target: string };

async function startLan(onRequest: RequestListener): Promise<Lan> {
  const server = http.createServer(onRequest).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The product with its own agent and a public mapping with the prefix `nas`. */
async function startHouse(relayProcesses: number, onRequest: RequestListener) {
  await using parts = new AsyncDisposableStack();
  const lan = parts.use(await startLan(onRequest));
  const port = await freePort();
  const env = {
    RELAY_PROCESSES: String(relayProcesses),
    MAPPING_PORTS: `${port}-${port}`,
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '90',
  };
  const product = parts.use(await startProduct({ env }));
  saveLogOnFailure('relay-processes', product.child);
  const client = new ApiClient(product);
  await client.logIn();
  const { device } = await client.waitForWelcomeDevice();
  await client.createMapping({ router: device.id, kind: 'http', prefix: 'nas', target: lan.target, policy: 'public' });
  const isEverywhere = ({ connected, running }: Device['relays']) =>
    connected === relayProcesses && running === relayProcesses;
  await client.waitForDevice('every relay has the device', ({ relays }) => isEverywhere(relays));
  const { http } = product.ports;
  const nas = { port: http, host: `nas.localhost:${http}`, expected: PAGE };
  await waitFor('the mapping is known', 30_000, async () => {
    await using one = startVisitors(nas, 1);
    return await waitFor('an answer', 2_000, () => one.okCount > 0);
  });
  const running = parts.move();
  return { product, client, device, nas, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

type House = Awaited<ReturnType<typeof startHouse>>;

/** A public port with an echo service. */
async function mapEcho({ client, device }: House): Promise<number> {
  const echo = net.createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => {}).pipe(socket));
  onTestFinished(() => void echo.close());
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const target = `tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`; // it listens on TCP
  const mapping = await client.createMapping({ router: device.id, kind: 'tcp', target, policy: 'public' });
  return must(mapping.port, 'the public port');
}

function countOf({ child }: Product, pattern: RegExp): number {
  return child.output.match(pattern)?.length ?? 0;
}

async function relayPid(product: Product, number: number): Promise<number> {
  return await waitFor(`relay ${number}`, 30_000, async () => (await findRelayPids(product.child.pid)).get(number));
}

async function waitUntilServed(nas: House['nas']): Promise<void> {
  await waitFor('visitors are served again', 30_000, async () => {
    await using one = startVisitors(nas, 1);
    return await waitFor('an answer', 1_000, () => one.okCount > 0);
  });
}

/** Ends relay processes with this signal at once, and waits until others serve visitors in their places. */
async function replaceRelays(product: Product, numbers: number[], signal: NodeJS.Signals): Promise<void> {
  const before = await Promise.all(numbers.map((number) => relayPid(product, number)));
  const openings = countOf(product, /visitors are let in/g);
  for (const pid of before) process.kill(pid, signal);
  await waitFor(`relays ${numbers.join()} take visitors again`, 60_000, async () => {
    const pids = await findRelayPids(product.child.pid);
    const now = numbers.map((number) => pids.get(number));
    const areOthers = now.every((pid) => pid !== undefined && !before.includes(pid));
    return areOthers && countOf(product, /visitors are let in/g) >= openings + numbers.length;
  });
}

test('of two relay processes, restarts are not noticed, a killed one loses only its own visitors, and both end with their parent', async () => {
  await using house = await startHouse(2, (_request, response) => response.end(PAGE));
  await restartRelaysUnnoticed(house);
  await killRelay(house);
  await killServer(house);
});

/** Visitors do not notice when relay processes are restarted, one after the other or all at once. */
async function restartRelaysUnnoticed(house: House): Promise<void> {
  const port = await mapEcho(house);
  await using callers = startTcpVisitors(port, 4);
  const pids = await findRelayPids(house.product.child.pid);
  expect([...pids.keys()].sort((a, b) => a - b)).toEqual([1, 2]);
  await using visitors = startVisitors(house.nas, 8);
  await waitFor('visitors are served', 30_000, () => visitors.okCount > 50 && callers.okCount > 50);
  callers.failures.length = 0; // of the time before the port was open

  for (const numbers of [[1], [2], [1, 2]]) {
    await replaceRelays(house.product, numbers, 'SIGTERM');
    const served = visitors.okCount;
    await waitFor('visitors are served on', 30_000, () => visitors.okCount > served + 100);
  }

  expect(visitors.failures).toEqual([]);
  expect(callers.failures).toEqual([]);
  expect(countOf(house.product, /has handed over/g)).toBe(4);
}

/** A killed relay process loses only its own visitors, and the device stays online. */
async function killRelay(house: House): Promise<void> {
  const seen: Device['state'][] = [];
  await using visitors = startVisitors(house.nas, 8);
  await waitFor('visitors are served', 30_000, () => visitors.okCount > 50);

  const replaced = replaceRelays(house.product, [1], 'SIGKILL');
  let isOver = false;
  void replaced.finally(() => (isOver = true));
  while (!isOver) {
    // The console is behind the same relays, so its calls may be cut as well.
    const devices = await house.client.devices().catch(() => []);
    seen.push(...devices.map(({ state }) => state));
  }
  await replaced;
  const cut = visitors.failures.length;
  const served = visitors.okCount;
  await waitFor('visitors are served on', 30_000, () => visitors.okCount > served + 200);

  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set(['online']));
  // One failure for each visitor with a request in progress, and one for each with an idle connection.
  expect(cut).toBeLessThanOrEqual(8);
  expect(visitors.failures.slice(cut)).toEqual([]);
  expect(visitors.failures.filter((failure) => failure.startsWith('HTTP'))).toEqual([]);
}

/** Relay processes end with the process that started them. */
async function killServer({ product }: House): Promise<void> {
  const pids = [...(await findRelayPids(product.child.pid)).values()];
  expect(pids).toHaveLength(2);

  process.kill(await findServerPid(product.child.pid), 'SIGKILL');

  await waitFor('no relay is left', 30_000, async () => {
    const left = await findProcesses('stack/dist/relay-process.js');
    return left.every(({ pid }) => !pids.includes(pid));
  });
}

test('the only relay process may crash, finishes open downloads when it is stopped, and so does the whole product', async () => {
  const { onRequest, finish } = slowDownloads();
  await using house = await startHouse(1, onRequest);
  await crashOnlyRelay(house);
  await stopRelayTwice(house, finish);
  await signalAllProcesses(house, finish);
});

/** The only relay process may crash: server and database go on, it is started again. */
async function crashOnlyRelay({ product, client, nas }: House): Promise<void> {
  const server = await findServerPid(product.child.pid);
  const before = await relayPid(product, 1);

  process.kill(before, 'SIGKILL');

  await waitUntilServed(nas);
  expect(await relayPid(product, 1)).not.toBe(before);
  expect(await findServerPid(product.child.pid)).toBe(server);
  await client.waitForDevice('the device is online', ({ online }) => online);
}

/** A stopping relay finishes an open download, and a second signal ends it at once. */
async function stopRelayTwice({ product, nas }: House, finish: () => void): Promise<void> {
  const before = countOf(product, /has handed over/g);
  const graceful = await startDownload(nas);
  const first = await relayPid(product, 1);
  process.kill(first, 'SIGTERM');
  await waitFor('no visitor is taken any more', 30_000, () => isRefused(nas.port));
  finish();
  expect(await graceful.ended).toEqual({ body: 'first last', isWhole: true });
  await waitFor('the relay is another one', 30_000, async () => (await relayPid(product, 1)) !== first);
  expect(countOf(product, /has handed over/g)).toBe(before + 1);

  await waitUntilServed(nas);
  const cut = await startDownload(nas);
  const second = await relayPid(product, 1);
  process.kill(second, 'SIGTERM');
  await waitFor('no visitor is taken any more', 30_000, () => isRefused(nas.port));
  process.kill(second, 'SIGTERM');
  expect(await cut.ended).toEqual({ body: 'first ', isWhole: false });
}

test('the stopping product finishes an open download from this machine', async () => {
  const { onRequest, finish } = slowDownloads();
  await using house = await startHouse(2, onRequest);
  const download = await startDownload(house.nas);

  house.product.child.signalLeader('SIGTERM');
  await waitFor('no visitor is taken any more', 30_000, () => isRefused(house.nas.port));
  finish();

  expect(await download.ended).toEqual({ body: 'first last', isWhole: true });
  expect(await house.product.child.exited).toEqual({ code: 0, signal: null });
  expect(house.product.child.output).not.toContain('"event":"offline"');
});

/** A signal to all processes at once, as of systemd or of a terminal, stops the product as one to the first does. */
async function signalAllProcesses(house: House, finish: () => void): Promise<void> {
  await waitUntilServed(house.nas);
  const download = await startDownload(house.nas);
  const seen = house.product.child.output.length;

  house.product.child.signal('SIGTERM');
  await waitFor('no visitor is taken any more', 30_000, () => isRefused(house.nas.port));
  finish();

  expect(await download.ended).toEqual({ body: 'first last', isWhole: true });
  expect(await house.product.child.exited).toEqual({ code: 0, signal: null });
  // The database is in another process group, because the others need it until they have ended.
  expect(house.product.child.output.slice(seen)).not.toMatch(/"level":[56]0|database ended/);
}

/** A service whose answers below `/slow` stop after their first bytes until the test continues them. */
function slowDownloads(): { onRequest: RequestListener; finish: () => void } {
  const waiting: (() => void)[] = [];
  return {
    onRequest: (request, response) => {
      if (request.url !== '/slow') return void response.end(PAGE);
      response.write('first ');
      waiting.push(() => response.end('last'));
    },
    finish: () => waiting.splice(0).forEach((end) => end()),
  };
}

/** Resolves when the first bytes are received. */
async function startDownload({ port, host }: { port: number; host: string }) {
  const [response] = (await once(
    http.get({ host: '127.0.0.1', port, path: '/slow', headers: { host }, agent: false }),
    'response',
  )) as [http.IncomingMessage];
  let body = '';
  response.setEncoding('utf8').on('data', (text: string) => (body += text));
  response.on('error', () => undefined); // a test may abort it
  const ended = new Promise<{ body: string; isWhole: boolean }>((resolve) =>
    response.once('close', () => resolve({ body, isWhole: response.complete })),
  );
  await waitFor('the download runs', 30_000, () => body !== '');
  return { ended };
}

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume();
      resolve(false);
    });
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

test('a stop does not wait for the event streams of open pages', async () => {
  await using house = await startHouse(1, (_request, response) => response.end(PAGE));
  await house.client.openEvents();

  house.product.child.signalLeader('SIGTERM');

  // Long before open requests would be ended.
  await waitFor('the product has ended', 60_000, () => house.product.child.exit);
  expect(await house.product.child.exited).toEqual({ code: 0, signal: null });
});
