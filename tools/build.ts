/**
 * `node tools/build.ts [web|agent|product]` builds the console, the agent and the product where their sources have changed;
 * `npm start` asks for the same through `ensureBuilt`.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment } from '@tongtu/base';
import { AGENT_FILE } from './build/agent-file.ts';
import { isReadOnlyError, readOutputHash, replaceOutput } from './build/output-folder.ts';
import { hashSources } from './build/source-hash.ts';
import { PRODUCT_FOLDER, type Target, targets } from './build/targets.ts';

/** `program`: the module that runs the product. */
export type Built = { webRoot: string; agentFile: string; program: string };

/**
 * Builds what is stale and returns the paths. Takes a few milliseconds when nothing changed. All parts are built at
 * once in separate processes, which frees the bundler's memory. Several processes may call it at once. A read-only tree
 * is used as it is.
 */
export async function ensureBuilt(root: string, log: (line: string) => void): Promise<Built> {
  const stale: Target[] = [];
  for (const target of targets) if (!(await isFresh(root, target))) stale.push(target);
  if (stale.length > 0) {
    log('正在构建，只在首次启动或升级后需要…');
    await Promise.all(stale.map((target) => buildApart(root, target)));
  }
  return {
    webRoot: path.join(root, 'apps/web/dist'),
    agentFile: path.join(root, 'apps/agent/dist', AGENT_FILE),
    program: path.join(root, PRODUCT_FOLDER, 'product.js'),
  };
}

async function isFresh(root: string, target: Target): Promise<boolean> {
  return (await readOutputHash(path.join(root, target.folder))) === hashSources(root, target.sources);
}

function buildApart(root: string, { name }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [import.meta.filename, name], {
      cwd: root,
      // Vite would build React's development code under the value of a developer's shell or of the tests.
      env: { ...nodeEnvironment(process.env), NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`building ${name} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

async function buildIfStale(root: string, target: Target): Promise<void> {
  const folder = path.join(root, target.folder);
  // Computed before the build, so that a source that changes meanwhile makes the output stale.
  const hash = hashSources(root, target.sources);
  const found = await readOutputHash(folder);
  if (found === hash) return console.log(`${target.name}: up to date`);
  const startedAtMs = performance.now();
  try {
    await replaceOutput(folder, hash, (draft) => target.make(root, draft));
  } catch (error) {
    if (found === undefined || !isReadOnlyError(error)) throw error;
    return console.error(`${folder} 无法写入，使用已有的版本`);
  }
  console.log(`${target.name}: built in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
}

async function main(name: string | undefined): Promise<void> {
  const root = path.resolve(import.meta.dirname, '..');
  if (name === undefined) return void (await ensureBuilt(root, console.log));
  const target = targets.find((known) => known.name === name);
  if (target === undefined) throw new Error('usage: node tools/build.ts [web|agent|product]');
  await buildIfStale(root, target);
}

if (import.meta.main) {
  await main(process.argv[2]).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
