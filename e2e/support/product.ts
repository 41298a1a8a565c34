import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildGroup } from './child-group.ts';
import { freePorts } from '@tongtu/base/testing/free-port';
import { request } from './http-request.ts';
import { waitFor } from './wait-for.ts';

export const repository = path.resolve(import.meta.dirname, '../..');
export const adminPassword = 'E2E-Passw0rd-2026!';

// A first start builds the console and the agent and makes a database cluster, on a machine that may be busy.
const UP_WITHIN_MS = 90_000;

/** What `npm start` starts. */
const NODE_ARGUMENTS = ['--import', './tools/require-node-24.js', 'stack/src/main.ts'];

export type Ports = { http: number; tls: number; tunnel: number };
export type ProductOptions = {
  dataDir?: string;
  ports?: Ports;
  args?: readonly string[];
  env?: Record<string, string>;
  /** This Node.js, without npm around it; else the one that `npm start` finds. */
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

/** The ports behind the tunnel's are those of further relay processes. */
export async function pickPorts(relayProcesses = 1): Promise<Ports> {
  const [http, tls, tunnel] = (await freePorts(2 + relayProcesses)) as [number, number, number]; // at least three were asked for
  return { http, tls, tunnel };
}

/** `npm start`, not waited for: for starts that are meant to fail. */
export async function launchProduct(options: ProductOptions = {}): Promise<Product> {
  const ports = options.ports ?? (await pickPorts(Number(options.env?.['RELAY_PROCESSES'] ?? 1)));
  const dataDir = options.dataDir ?? path.join(await freshFolder('data'), 'data');
  const args = options.args ?? [];
  const command =
    options.node === undefined
      ? ['npm', 'start', ...(args.length > 0 ? ['--', ...args] : [])]
      : [options.node, ...NODE_ARGUMENTS, ...args];
  const child = new ChildGroup(command[0]!, command.slice(1), {
    cwd: repository,
    env: {
      ...productEnvironment(),
      PORT: String(ports.http),
      TLS_PORT: String(ports.tls),
      TUNNEL_PORT: String(ports.tunnel),
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

/** Starts the product as a user does and waits until it answers. */
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

/** The surroundings of a user's shell: what vitest and npm added for this run must not reach the product. */
export function productEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|DEV$|PROD$|MODE$)/.test(name),
  );
  return Object.fromEntries(kept);
}
