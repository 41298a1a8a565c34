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

// Made once: most tests begin where a database was stopped, and initdb takes a second.
let made: Folder;
beforeAll(async () => {
  made = await makeFolder();
  await (await startEmbeddedPostgres({ dataDir: path.join(made.dir, 'postgres') }))[Symbol.asyncDispose]();
});
afterAll(async () => await made[Symbol.asyncDispose]());

/** A folder `postgres` as a stopped server leaves it, below one of the given mode. */
async function makeStopped(mode = 0o755): Promise<Folder> {
  const folder = await makeFolder();
  await chmod(folder.dir, mode);
  await promisify(execFile)('cp', ['-a', path.join(made.dir, 'postgres'), folder.dir]);
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

/** Another process that holds the folder, and after `ready` writes rows as fast as they are confirmed. */
function spawnHolder(dataDir: string) {
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

test('data survives a stop and a start', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  const first = await startEmbeddedPostgres({ dataDir });
  await query(first, 'create table kept as select 1 as n');
  await first[Symbol.asyncDispose]();

  await using second = await startEmbeddedPostgres({ dataDir });

  expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('what was confirmed is there after kill -9 of the process that held the folder', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  const holder = spawnHolder(dataDir);
  let confirmed = 0;
  for await (const line of createInterface({ input: holder.stdout })) {
    confirmed = Number(line);
    if (confirmed === 50) holder.kill('SIGKILL'); // lines on their way are still read
  }

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(confirmed).toBeGreaterThanOrEqual(50);
  const [row] = await query(server, 'select max(n) as last, count(*)::integer as count from kept');
  expect(row).toMatchObject({ last: expect.any(Number) });
  expect((row as { last: number }).last).toBeGreaterThanOrEqual(confirmed);
});

test('a folder that another process uses is refused, and that process goes on', async () => {
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

test('of two starters on an empty folder one gets it and the other is told so', async () => {
  await using folder = await makeFolder();
  await using started = new AsyncDisposableStack();
  const dataDir = path.join(folder.dir, 'postgres');

  const start = async () => started.use(await startEmbeddedPostgres({ dataDir }));
  const results = await Promise.allSettled([start(), start()]);

  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(results).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'data-dir.in-use' }) });
  expect(await readdir(folder.dir)).toEqual(['postgres']);
});

test('a start that was killed half-way leaves nothing in the way of the next one', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'postgres');
  const holder = spawnHolder(dataDir);
  const ended = once(holder, 'exit');
  // Half-way is when its folder has not yet its name; on a machine that was slow to look, the start may be complete.
  const begun = expect.stringMatching(/\.init-|^postgres$/);
  await expect.poll(() => readdir(folder.dir), { interval: 5 }).toContainEqual(begun);
  holder.kill('SIGKILL');
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

test.each([0o755, 0o700])('a folder below one of mode %o works, closed to everybody else', async (mode) => {
  await using folder = await makeFolder();
  await chmod(folder.dir, mode);
  const dataDir = path.join(folder.dir, 'postgres');

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('a folder made below an open one still works when that is closed later', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');
  await chmod(folder.dir, 0o700);

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a path that is longer than a socket may have works', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'x'.repeat(60), 'y'.repeat(60));

  await using server = await startEmbeddedPostgres({ dataDir });

  expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a folder with other files in it is left as it is', async () => {
  await using folder = await makeFolder();
  const dataDir = path.join(folder.dir, 'photos');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'cat.jpg'), 'cat');

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({ code: 'data-dir.foreign' });

  expect(await readdir(dataDir)).toEqual(['cat.jpg']);
});

test('a path through a file is told to the operator', async () => {
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

test('a start that fails repeats what PostgreSQL said', async () => {
  await using folder = await makeStopped();
  const dataDir = path.join(folder.dir, 'postgres');

  await expect(startEmbeddedPostgres({ dataDir, settings: ['max_connections=nonsense'] })).rejects.toMatchObject({
    code: 'database.not-started',
    message: expect.stringContaining('max_connections'),
  });
});

test.runIf(canMount)(
  'a disk that is too small for a database is named as the cause, and nothing is left on it',
  async () => {
    using disk = mountSmallDisk({ megabytes: 20 });
    const dataDir = path.join(disk.dir, 'data', 'postgres');

    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      name: 'StartError',
      code: 'data-dir.full',
      message: expect.stringContaining('磁盘空间不足'),
    });

    expect(await readdir(dataDir)).toEqual([]);
  },
);
