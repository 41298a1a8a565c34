import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { fetchPackage } from './fetch-package.ts';
import { readTarEntry } from './read-tar-entry.ts';
import type { RuntimePackage } from './runtime-packages.ts';
import { stripElf } from './strip-elf.ts';

const Facts = z.object({
  version: z.string(),
  sha256: z.string(),
  /** Of the compressed file. */
  bytes: z.number().int().positive(),
  unpackedBytes: z.number().int().positive(),
});

/** Node.js for one platform as devices download it: compressed by gzip, which every device can unpack. */
export type Runtime = z.infer<typeof Facts> & { file: string };

export type PrepareDeps = { folder: string; registry: string; signal: AbortSignal };

/** Returns the runtime from the cache folder, making it first where needed: this machine's own, or the registry's. */
export async function prepareRuntime(from: RuntimePackage, deps: PrepareDeps): Promise<Runtime> {
  await mkdir(deps.folder, { recursive: true, mode: 0o700 });
  const base = path.join(deps.folder, `node-${from.version}-${from.platform}`);
  const cached = await readCached(base);
  if (cached !== undefined) return cached;
  await removeOthers(deps.folder, from);
  const archive = `${base}.tgz.new`;
  const draft = `${base}.gz.new`;
  try {
    const facts = {
      version: from.version,
      ...(await pack(await openProgram(from, archive, deps), draft, deps.signal)),
    };
    await rename(draft, `${base}.gz`);
    await writeFile(`${base}.json.new`, JSON.stringify(facts), { mode: 0o600 });
    // Last: it is what makes the cached file valid.
    await rename(`${base}.json.new`, `${base}.json`);
    return { ...facts, file: `${base}.gz` };
  } finally {
    await Promise.all([archive, draft].map((file) => rm(file, { force: true })));
  }
}

async function readCached(base: string): Promise<Runtime | undefined> {
  try {
    const facts = Facts.parse(JSON.parse(await readFile(`${base}.json`, 'utf8')));
    const { size } = await stat(`${base}.gz`);
    return size === facts.bytes ? { ...facts, file: `${base}.gz` } : undefined;
  } catch {
    return undefined; // missing or damaged: it is made anew
  }
}

/** The versions of before, and what a killed process left behind. */
async function removeOthers(folder: string, { platform, version }: RuntimePackage): Promise<void> {
  const isStale = (name: string) => name.includes(`-${platform}.`) && !name.startsWith(`node-${version}-`);
  const stale = (await readdir(folder)).filter(isStale);
  await Promise.all(stale.map((name) => rm(path.join(folder, name), { force: true })));
}

/** npm has checked the files it installed; an archive from the registry is checked here. */
async function openProgram(from: RuntimePackage, archive: string, deps: PrepareDeps): Promise<AsyncIterable<Buffer>> {
  if (await isFile(from.installedFile)) return createReadStream(from.installedFile);
  await fetchPackage(from, { registry: deps.registry, file: archive, signal: deps.signal });
  const unpacked = createReadStream(archive).on('error', (error) => gunzip.destroy(error));
  const gunzip = createGunzip();
  return readTarEntry(unpacked.pipe(gunzip), from.entry);
}

async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function pack(program: AsyncIterable<Buffer>, file: string, signal: AbortSignal) {
  const hash = createHash('sha256');
  let bytes = 0;
  let unpackedBytes = 0;
  await pipeline(
    async function* () {
      for await (const chunk of stripElf(program)) {
        unpackedBytes += chunk.length;
        yield chunk;
      }
    },
    createGzip({ level: 9 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file, { mode: 0o600 }),
    { signal },
  );
  return { sha256: hash.digest('hex'), bytes, unpackedBytes };
}
