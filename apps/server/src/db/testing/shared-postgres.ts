import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openDb } from '../driver.ts';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { migrate } from '../migrate.ts';

type TestProject = { provide: (key: 'testPostgresPort', value: number) => void };
type SharedPostgres = AsyncDisposable & { url: string; template: string };

declare module 'vitest' {
  interface ProvidedContext {
    testPostgresPort: number;
  }
}

/**
 * Vitest's global set-up. It only listens on a port. The first test that connects starts the database server, or prepares
 * TEST_DATABASE_URL, so a run without database tests starts none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let shared: Promise<SharedPostgres> | undefined;
  const listener = createServer((socket) => {
    socket.on('error', () => undefined); // the test worker has ended
    shared ??= startShared();
    shared.then(
      ({ url, template }) => socket.end(JSON.stringify({ url, template })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  project.provide('testPostgresPort', (listener.address() as AddressInfo).port); // a TCP server has this kind of address
  return async () => {
    listener.close();
    const started = await shared?.catch(() => undefined); // the tests have reported the error
    await started?.[Symbol.asyncDispose]();
  };
}

async function startShared(): Promise<SharedPostgres> {
  const template = `tongtu_template_${randomBytes(4).toString('hex')}`;
  const configured = process.env['TEST_DATABASE_URL'];
  if (configured !== undefined) {
    await makeTemplate(configured, template);
    return {
      url: configured,
      template,
      [Symbol.asyncDispose]: () => runSql(configured, `drop database ${template} with (force)`),
    };
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'tongtu-test-pg-'));
  // A crash may lose everything. The databases of all workers fit into the buffers.
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
    'shared_buffers=256MB',
    'wal_level=minimal',
    'max_wal_senders=0',
  ];
  const embedded = await startEmbeddedPostgres({ dataDir: path.join(dir, 'data'), settings });
  const url = embedded.url('postgres');
  await makeTemplate(url, template);
  return {
    url,
    template,
    async [Symbol.asyncDispose]() {
      await embedded[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await runSql(url, `create database ${template}`);
  await using open = await openDb({ url: withDatabase(url, template) }, pino({ level: 'silent' }));
  await migrate(open.db);
}

/** Replaces the database in the URL. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, (_, origin: string) => `${origin}/${database}`);
}

export async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
