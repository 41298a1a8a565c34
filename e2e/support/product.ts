import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildGroup } from './child-group.ts';
import { freePorts, isFree } from './free-port.ts';
import { request } from './http-request.ts';
import { waitFor } from './wait-for.ts';

export const repository = path.resolve(import.meta.dirname, '../..');
export const adminPassword = 'E2E-Passw0rd-2026!';

// A first start builds the console and the agent and makes a database cluster, on a machine that may be busy.
const UP_WITHIN_MS = 90_000;

export type Ports = { http: number; tls: number; tunnel: number };
export type ProductOptions = {
  dataDir?: string;
  ports?: Ports;
  args?: readonly string[];
  env?: Record<string, string>;
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

/** With as many tunnel ports in a row as there are to be relay processes. */
export async function pickPorts({ tunnels = 1 } = {}): Promise<Ports> {
  for (;;) {
    const [http, tls, tunnel] = (await freePorts(3)) as [number, number, number]; // three were asked for
    const others = Array.from({ length: tunnels - 1 }, (_, index) => tunnel + 1 + index);
    const areFree = await Promise.all(
      others.map(async (port) => port !== http && port !== tls && (await isFree(port))),
    );
    if (areFree.every(Boolean)) return { http, tls, tunnel };
  }
}

/** `npm start`, not waited for: for starts that are meant to fail. */
export async function launchProduct(options: ProductOptions = {}): Promise<Product> {
  const ports = options.ports ?? (await pickPorts());
  const dataDir = options.dataDir ?? path.join(await freshFolder('data'), 'data');
  const args = options.args ?? [];
  const child = new ChildGroup('npm', ['start', ...(args.length > 0 ? ['--', ...args] : [])], {
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
