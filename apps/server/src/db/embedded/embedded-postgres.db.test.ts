import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { canMount, mountSmallDisk } from '@tongtu/base/testing/small-disk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

type Folder = AsyncDisposable & { dir: string };

async function makeFolder(): Promise<Folder> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-pg-test-'));
  await chmod(dir, 0o755);
  return { dir, [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true, force: true }) };
}

// Created once and copied: most tests start with a stopped database, and initdb takes a second.
let template: Folder;
beforeAll(async () => {
  template = await makeFolder();
  await (await startEmbeddedPostgres({ dataDir: path.join(template.dir, 'postgres') }))[Symbol.asyncDispose]();
});
afterAll(async () => await template[Symbol.asyncDispose]());

/** Creates a folder that contains `postgres`, the data folder of a stopped server. */
async function makeStopped(): Promise<Folder> {
  const folder = await makeFolder();
  await promisify(execFile)('cp', ['-a', path.join(template.dir, 'postgres'), folder.dir]);
  return folder;
}

async function query(server: Pick<EmbeddedPostgres, 'url'>, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.url('postgres'));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts another process that runs a server on the folder, inserts rows, and prints the number of each committed row. */
function spawnWriter(dataDir: string) {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(path.resolve(import.meta.dirname, 'embedded-postgres.ts'))};
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1] });
    const client = new pg.Client(server.url('postgres'));
    client.on('error', () => {});
    await client.connect();
    await client.query('create table if not exists kept (n integer)');
    for (let n = 1; ; n++) {
      await client.query('insert into kept values ($1)', [n]);
      console.log(n);
    }`;
  return spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('data survives a stop and a start, also when the parent folder is closed to other users in between', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  const first = await startEmbeddedPostgres({ dataDir });
  await query(first, 'create table kept as select 1 as n');
  await first[Symbol.asyncDispose]();
  await chmod(folder.dir, 0o700);

  await using second = await startEmbeddedPostgres({ dataDir });

  expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('committed rows survive kill -9 of the process that ran the server', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  const writer = spawnWriter(dataDir);
  let committed = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    committed = Number(line);
    if (committed === 50) writer.kill('SIGKILL'); // lines that were already printed are still read
  }

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(committed).toBeGreaterThanOrEqual(50);
  const [row] = await query(server, 'select max(n) as last, count(*)::integer as count from kept');
  expect(row).toMatchObject({ last: expect.any(Number) });
  expect((row as { last: number }).last).toBeGreaterThanOrEqual(committed);
});

test('a folder that another process uses is refused, and that process keeps running', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  await using first = await startEmbeddedPostgres({ dataDir });

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    name: 'StartError',
    code: 'data-dir.in-use',
    message: expect.stringContaining(dataDir),
  });

  expect(await query(first, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('of two starts on an empty folder one succeeds and the other is refused', async () => {
  await using folder = await makeFolder();
  await using started = new AsyncDisposableStack();
  const dataDir = path.join(folder.dir, 'postgres');

  const start = async () => started.use(await startEmbeddedPostgres({ dataDir }));
  const results = await Promise.allSettled([start(), start()]);

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'data-dir.in-use' }) });
  expect(await readdir(folder.dir)).toEqual(['postgres']);
});

test('a start that was killed during initdb does not prevent the next one', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'postgres');
  const writer = spawnWriter(dataDir);
  const ended = once(writer, 'exit');
  // During initdb the folder has a temporary name. On a slow machine the start may be complete already.
  const started = expect.stringMatching(/\.init-|^postgres$/);
  await expect.poll(() => readdir(folder.dir), { interval: 5 }).toContainEqual(started);
  writer.kill('SIGKILL');
  await ended;

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a pid file from before a reboot does not stop the start', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  await writeFile(
    path.join(dataDir, 'postmaster.pid'),
    `${process.pid}\n${dataDir}\n0\n5432\n${dataDir}\n\n0 0\nready\n`,
  );
  await chmod(path.join(dataDir, 'postmaster.pid'), 0o644);

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a new data folder is closed to other users', async () => {
  expect((await stat(path.join(template.dir, 'postgres'))).mode & 0o777).toBe(0o700);
});

test('a new data folder works below one that is closed to other users, with a path beyond the limit of a socket path', async () => {
  await using folder = await makeFolder();
  await chmod(folder.dir, 0o700);
  const dataDir = path.join(folder.dir, 'x'.repeat(60), 'y'.repeat(60));

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('a folder with other files is refused and not changed', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'photos');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'cat.jpg'), 'cat');

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: 'data-dir.foreign' });

  expect(await readdir(dataDir)).toEqual(['cat.jpg']);
});

test('a path through a file is reported to the operator', async () => {
  await using folder = await makeFolder();
  await writeFile(path.join(folder.dir, 'file'), '');

  await expect(startEmbeddedPostgres({ dataDir: path.join(folder.dir, 'file', 'postgres') })).rejects.toMatchObject({
    name: 'StartError',
    code: 'data-dir.not-writable',
    message: expect.stringMatching(/^数据目录无法写入/),
  });
});

test('data of another PostgreSQL version is not touched', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'postgres');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'PG_VERSION'), '17\n');

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: 'data-dir.other-version' });

  expect(await readFile(path.join(dataDir, 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('a start that fails reports the message of PostgreSQL', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');

  await expect(startEmbeddedPostgres({ dataDir, settings: ['max_connections=nonsense'] })).rejects.toMatchObject({
    code: 'database.not-started',
    message: expect.stringContaining('max_connections'),
  });
});

test.runIf(canMount)('a disk that is too small is reported as the cause, and no files are left on it', async () => {
  using disk = mountSmallDisk({ megabytes: 20 });
  const dataDir = path.join(disk.dir, 'data', 'postgres');

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    name: 'StartError',
    code: 'data-dir.full',
    message: expect.stringContaining('磁盘空间不足'),
  });

  expect(await readdir(dataDir)).toEqual([]);
});
