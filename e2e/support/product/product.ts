import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ChildGroup } from './child-group.ts';
import { freePort, freePorts } from '@tongtu/base/testing/free-port';
import { request } from '../clients/http-request.ts';
import { waitFor } from '../wait-for.ts';

export const repository = path.resolve(import.meta.dirname, '../../..');
export const adminPassword = 'E2E-Passw0rd-2026!';

// A first start builds the console and the agent and makes a database cluster, on a machine that may be busy.
const UP_WITHIN_MS = 90_000;

/** The variable in which prepare-data-folder.ts passes the path of its folder. */
export const PREPARED_DATA_DIR = 'E2E_PREPARED_DATA_DIR';

export type Ports = { http: number; tls: number; tunnel: number };
export type ProductOptions = {
  /** By default a copy of the prepared folder: the database and the first account are there, no device is. */
  dataDir?: string;
  /** Starts through npm, as users do. By default it runs what npm would, which saves half a second. */
  throughNpm?: true;
  ports?: Ports;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Another Node.js than that of the tests. */
  node?: string;
};

export type Product = AsyncDisposable & {
  child: ChildGroup;
  ports: Ports;
  dataDir: string;
  consoleUrl: string;
};

export async function freshFolder(name: string): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), `${name}-`));
}

/** The path of a missing folder, for a first start. */
export async function emptyDataDir(): Promise<string> {
  return path.join(await freshFolder('data'), 'data');
}

async function copyOfPreparedDataDir(): Promise<string> {
  const dataDir = await emptyDataDir();
  const prepared = process.env[PREPARED_DATA_DIR];
  // With its owners: as root the database belongs to another user.
  if (prepared !== undefined) await promisify(execFile)('cp', ['-a', prepared, dataDir]);
  return dataDir;
}

/** The ports after the tunnel's are those of further relay processes. */
export async function pickPorts(relayProcesses = 1): Promise<Ports> {
  const [http, tls, tunnel] = (await freePorts(2 + relayProcesses)) as [number, number, number]; // at least three were asked for
  return { http, tls, tunnel };
}

/** Starts the product without waiting for it, for starts that should fail. */
export async function launchProduct(options: ProductOptions = {}): Promise<Product> {
  const ports = options.ports ?? (await pickPorts(Number(options.env?.['RELAY_PROCESSES'] ?? 1)));
  const dataDir = options.dataDir ?? (await copyOfPreparedDataDir());
  const args = options.args ?? [];
  const [command, words] = options.throughNpm
    ? npmScript('start', args)
    : nodeScript('stack/src/main.ts', args, options.node);
  const child = new ChildGroup(command, words, {
    cwd: repository,
    env: {
      ...productEnvironment(),
      PORT: String(ports.http),
      TLS_PORT: String(ports.tls),
      TUNNEL_PORT: String(ports.tunnel),
      // Not 0: the system could give the port away between its choice and its use.
      FRP_PORT: String(await freePort()),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: adminPassword,
      ...options.env,
    },
  });
  return {
    child,
    ports,
    dataDir,
    consoleUrl: `http://localhost:${ports.http}`,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

function npmScript(name: string, args: readonly string[]): [string, string[]] {
  return ['npm', ['run', name, ...(args.length > 0 ? ['--', ...args] : [])]];
}

/** What the scripts of package.json run. */
export function nodeScript(file: string, args: readonly string[], node = process.execPath): [string, string[]] {
  return [node, ['--import', './tools/require-node-24.js', file, ...args]];
}

/** Starts the product and waits until it answers. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const product = await launchProduct(options);
  try {
    await waitUntilUp(product);
    return product;
  } catch (cause) {
    await product.child.kill();
    throw new Error(`the product did not start:\n${product.child.output}`, { cause });
  }
}

async function waitUntilUp({ child, ports }: Product): Promise<void> {
  await waitFor('the product answers', UP_WITHIN_MS, async () => {
    if (child.exit) return true;
    return (await request({ port: ports.http, path: '/api/login_status/' })).status === 200;
  });
  if (child.exit) throw new Error(`it ended with code ${child.exit.code}`);
}

/** The environment of a user's shell, without the variables of vitest and npm. */
export function productEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|DEV$|PROD$|MODE$)/.test(name),
  );
  return Object.fromEntries(kept);
}
