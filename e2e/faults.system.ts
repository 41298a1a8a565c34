import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { must } from '@tongtu/base';
import { MAX_CHANNELS } from '@tongtu/tunnel';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enrolDevice, type Agent } from './support/product/agent.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { type Fault, FaultLink } from './support/services/fault-link.ts';
import { freePort } from '@tongtu/base/testing/free-port';
import { hashOf, visitPort } from './support/clients/port-visitor.ts';
import { type PortService, startTcpService } from './support/services/port-services.ts';
import { findProcesses, findRelayPids, findServerPid, residentBytes } from './support/product/processes.ts';
import { type Product, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const MB = 1024 * 1024;
const longWay: Fault = { delayMs: 30 };
const BLOCK = randomBytes(MB);
/** The number of the server's database connections, which open and close at any time. */
const DATABASE_POOL = 10;
/** Of a session, besides the first. */
const FURTHER_CHANNELS = MAX_CHANNELS - 1;
const LAST_WORDS = 'all that I have to say';
/**
 * The agent connects to the relay, and visitors to the public port, over links on this address; both listen on
 * 127.0.0.1.
 */
const LINKED = '127.0.0.9';
/** If set, a gigabyte goes through the whole tunnel in each direction. */
const isLarge = process.env['LARGE_TRANSFERS'] !== undefined;

let product: Product;
let agent: Agent;
let service: PortService;
let tunnelLink: FaultLink;
let visitorLink: FaultLink;
let port: number;
/** The processes that must close everything they opened: the server, the relays, the agent. */
let watched: number[];

/** The hashes of what the service has read on properly ended connections. */
const uploads = new Set<string>();
let answerBytes = 0;
let transfers = 0;

beforeAll(async () => {
  port = await freePort();
  const env = { HOST: '127.0.0.1', TUNNEL_HOST: LINKED, MAPPING_PORTS: `${port}-${port}` };
  product = await startProduct({ env, args: ['--no-local-agent'] });
  const { tunnel } = product.ports;
  tunnelLink = await FaultLink.open({ host: LINKED, port: tunnel }, { host: '127.0.0.1', port: tunnel });
  // Connections over this link measure a long round trip, so their windows grow.
  tunnelLink.fault = longWay;
  visitorLink = await FaultLink.open({ host: LINKED, port }, { host: '127.0.0.1', port });
  service = await startTcpService((socket) => {
    const answer = (hash: string) => {
      uploads.add(hash);
      return sendBlocks(socket, answerBytes);
    };
    hashOf(socket).then(answer, () => {}); // an aborted connection has no end
  });
  const client = new ApiClient(product);
  const { token } = await client.logIn();
  const enrolled = await enrolDevice(product, client, { token, name: 'nas' });
  agent = enrolled.agent;
  const target = `tcp://127.0.0.1:${service.port}`;
  await client.createMapping({ router: enrolled.device.id, kind: 'tcp', target, policy: 'public' });
  const groupId = product.child.pid;
  const relays = await findRelayPids(groupId);
  watched = [await findServerPid(groupId), ...relays.values(), await agentPid(agent)];
  await transfer({ up: MB, down: MB });
});

afterAll(async () => {
  for (const part of [service, visitorLink, tunnelLink, agent?.child, product]) await part?.[Symbol.asyncDispose]();
});

beforeEach(() => {
  tunnelLink.fault = {};
  visitorLink.fault = {};
  saveLogOnFailure('faults-product', product.child);
  saveLogOnFailure('faults-agent', agent.child);
});

/** The agent's own process. */
async function agentPid({ stateDir }: Agent): Promise<number> {
  const found = await findProcesses(stateDir);
  return must(found.find(({ commandLine }) => /^\S*node\S* .*main\.ts/.test(commandLine))?.pid, 'the agent');
}

/** Repeats a block, numbered by position and transfer: so lost, duplicated and reordered blocks are noticed. */
function* blocksOf(bytes: number, transfer = 0): Generator<Buffer> {
  for (let at = 0; at < bytes; at += MB) {
    const block = Buffer.from(BLOCK.subarray(0, Math.min(MB, bytes - at)));
    block.writeUInt32BE(at / MB, 0);
    block.writeUInt32BE(transfer, 4);
    yield block;
  }
}

async function sendBlocks(socket: Socket, bytes: number, transfer?: number): Promise<string> {
  const hash = createHash('sha256');
  for (const block of blocksOf(bytes, transfer)) {
    hash.update(block);
    if (!socket.write(block)) await drained(socket);
    if (!socket.writable) break;
  }
  socket.end();
  return hash.digest('hex');
}

/** Resolves when more can be written, or when the socket is closed. */
async function drained(socket: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  over.abort();
}

function hashOfBlocks(bytes: number): string {
  const hash = createHash('sha256');
  for (const block of blocksOf(bytes)) hash.update(block);
  return hash.digest('hex');
}

function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function openVisit(): Promise<Socket> {
  const { socket } = await visitPort(port, LINKED);
  return socket;
}

/** Sends that many bytes, ends its side, and reads as many: both hashes must match the other side's. */
async function transfer({ up, down }: { up: number; down: number }): Promise<void> {
  answerBytes = down;
  const socket = await openVisit();
  const answer = hashOf(socket);
  answer.catch(() => {}); // awaited below, after sending
  const sent = await sendBlocks(socket, up, ++transfers);
  expect(await answer).toBe(hashOfBlocks(down));
  expect(uploads).toContain(sent);
  socket.destroy();
}

/** Connections during an upload. */
async function openVisits(): Promise<Socket[]> {
  const visits = await Promise.all(Array.from({ length: 20 }, openVisit));
  for (const socket of visits) socket.write(BLOCK);
  return visits;
}

async function expectDeviceBack(): Promise<void> {
  await waitFor('visitors are served again', 30_000, async () => {
    await transfer({ up: MB, down: MB });
    return true;
  });
}

/** The open connections of the LAN service. */
function openSockets(): number {
  return service.sockets.filter((socket) => !socket.destroyed).length;
}

async function openFiles(): Promise<number[]> {
  return await Promise.all(watched.map(async (pid) => (await readdir(`/proc/${pid}/fd`)).length));
}

/**
 * No process has more open files than before: all sockets of visitors, tunnel and LAN are closed. Relay and agent may
 * have further channels, which stay open for a while.
 */
async function expectNothingLeft(before: number[]): Promise<void> {
  await waitFor('everything is closed that was opened', 30_000, async () => {
    const [server = 0, ...others] = await openFiles();
    const [serverBefore = 0, ...othersBefore] = before;
    const isServerBack = server <= serverBefore + DATABASE_POOL;
    return isServerBack && others.every((count, index) => count <= (othersBefore[index] ?? 0) + FURTHER_CHANNELS);
  });
}

const harmless: [string, Fault, number][] = [
  ['a long way', longWay, 64 * MB],
  ['a link with varying delay', { delayMs: 2, jitterMs: 20 }, 16 * MB],
  ['lost packets, each a stall for all that follows', { stallEveryBytes: 2 * MB, stallMs: 60 }, 16 * MB],
  ['a slow line', { bytesPerSecond: 8 * MB }, 4 * MB],
  ['segments of one byte', { segmentBytes: 1 }, 24_000],
  ['segments of seven bytes and late', { segmentBytes: 7, delayMs: 1, jitterMs: 3 }, 100_000],
];

test.each(harmless)('between agent and relay %s harms not a byte', async (_what, fault, bytes) => {
  const before = await openFiles();
  tunnelLink.fault = fault;
  await transfer({ up: bytes, down: bytes });
  await expectNothingLeft(before);
});

test.each(harmless)('between visitor and relay %s harms not a byte', async (_what, fault, bytes) => {
  const before = await openFiles();
  visitorLink.fault = fault;
  await transfer({ up: bytes, down: bytes });
  await expectNothingLeft(before);
});

test('a visitor that reads and writes slowly blocks no other, and uses no memory but its windows', async () => {
  const before = await openFiles();
  const memory = await Promise.all(watched.map(residentBytes));
  answerBytes = 256 * MB;
  const slow = await openVisit();
  slow.pause();
  slow.end(LAST_WORDS);
  await waitFor('the service answers the slow visitor', 30_000, () => uploads.has(hashOfText(LAST_WORDS)));
  for (let turn = 0; turn < 3; turn++) await transfer({ up: 8 * MB, down: 8 * MB });
  const grown = await Promise.all(watched.map(async (pid, index) => (await residentBytes(pid)) - (memory[index] ?? 0)));
  expect(Math.max(...grown)).toBeLessThan(150 * MB);
  slow.resetAndDestroy();
  await expectNothingLeft(before);
});

test.each<[string, () => void]>([
  ['cut', () => tunnelLink.cut()],
  ['silent', () => tunnelLink.silence()],
])('a %s tunnel gets other connections, and its streams go on', async (_how, lose) => {
  const before = await openFiles();
  const visits = await openVisits();
  await waitFor('the service has them all', 30_000, () => openSockets() >= visits.length);
  const { accepted } = tunnelLink;
  lose();
  await waitFor('the agent has come again', 60_000, () => tunnelLink.accepted > accepted);
  await expectDeviceBack();
  expect([openSockets() >= visits.length, visits.some(({ destroyed }) => destroyed)]).toEqual([true, false]);
  for (const visit of visits) visit.destroy();
  await waitFor('the service has lost them all', 30_000, () => openSockets() === 0);
  // Nothing else closes connections whose other end is lost.
  tunnelLink.cut();
  await expectDeviceBack();
  await expectNothingLeft(before);
});

test('visitors that disappear in the middle leave no open sockets', async () => {
  const before = await openFiles();
  for (let turn = 0; turn < 5; turn++) {
    const { accepted } = visitorLink;
    const visits = await openVisits();
    await waitFor('they are on their way', 30_000, () => visitorLink.accepted === accepted + visits.length);
    visitorLink.cut();
  }
  await transfer({ up: MB, down: MB });
  await expectNothingLeft(before);
  await waitFor('the service has lost them all', 30_000, () => openSockets() === 0);
});

test.runIf(isLarge)('a gigabyte each way arrives as it was sent', { timeout: 300_000 }, async () => {
  const before = await openFiles();
  await transfer({ up: 1024 * MB, down: 1024 * MB });
  await expectNothingLeft(before);
});
