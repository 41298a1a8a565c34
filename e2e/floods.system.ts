import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { findRelayPids, findServerPid, residentBytes } from './support/product/processes.ts';
import { type Product, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const MB = 1024 * 1024;
const WANTED = 10_000;
const PER_ADDRESS = 500;
/** For the other files that this process has open. */
const SPARE_FILES = 500;
const AT_ONCE = 250;
const HEADS = 2_000;
const ROUNDS = 3;

let product: Product;
let host: string;
let pid: number;

beforeAll(async () => {
  product = await startProduct({ env: { HOST: '127.0.0.1' } });
  const client = new ApiClient(product);
  await client.logIn();
  host = `${(await client.waitForWelcomeDevice()).welcome.domain}:${product.ports.http}`;
  const [relay] = (await findRelayPids(product.child.pid)).values();
  pid = relay ?? (await findServerPid(product.child.pid));
});

afterAll(() => product?.[Symbol.asyncDispose]());

beforeEach(() => saveLogOnFailure('floods', product.child));

/** How many connections one process may have on this machine. Node raises its limit to the maximum at its start. */
async function possibleConnections(): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  const count = Math.min(WANTED, files - SPARE_FILES);
  if (count < WANTED)
    console.log(`Only ${count} connections instead of ${WANTED}: a process may open ${files} files here.`);
  return count;
}

/** Connections from many addresses: on Linux every program may use all of 127.0.0.0/8. */
async function openIdle(count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, index) => {
      const localAddress = `127.0.1.${1 + Math.floor((sockets.length + index) / PER_ADDRESS)}`;
      return connect({ port: product.ports.http, host: '127.0.0.1', localAddress });
    });
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    for (const socket of batch) socket.on('error', () => {}).resume();
    sockets.push(...batch);
  }
  return sockets;
}

async function visit(): Promise<number> {
  return (await request({ port: product.ports.http, path: '/', host })).status;
}

async function openFiles(): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

test('ten thousand connections without data or with a partial head use little memory, block nobody, and are closed', async () => {
  const count = await possibleConnections();
  expect(await visit()).toBe(200);
  const before = { bytes: await residentBytes(pid), files: await openFiles() };
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sockets = await openIdle(count);
    // Each sends an incomplete head of almost the maximum length.
    const begun = sockets.slice(0, HEADS);
    for (const socket of begun) socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`);
    for (let turn = 0; turn < 10; turn++) expect(await visit()).toBe(200);
    peaks.push((await residentBytes(pid)) - before.bytes);
    expect(peaks.at(-1)).toBeLessThan(count * 16 * 1024 + HEADS * 96 * 1024);
    // Connections with an incomplete head are excluded: on a busy machine their time limit may have passed.
    expect(sockets.slice(HEADS).filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    await waitFor('all are closed', 30_000, async () => (await openFiles()) <= before.files + 5);
  }
  // V8 does not return all memory to the system, but later rounds must not need more.
  const [, second = 0, ...later] = peaks;
  expect(Math.max(...later) - second).toBeLessThan(100 * MB);
  expect(await visit()).toBe(200);
  expect(product.child.output).not.toMatch(/"level":(40|50|60)/);
});
