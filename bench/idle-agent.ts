/**
 * `node bench/idle-agent.ts` measures what the agent costs a device that nobody visits: memory, wake-ups and traffic,
 * and the memory again after six downloads at once. The agent runs as the install script starts it. Linux only.
 */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '@tongtu/base';
import { ApiClient } from '../e2e/support/clients/api-client.ts';
import { ChildGroup } from '../e2e/support/product/child-group.ts';
import { freshFolder, repository, startProduct } from '../e2e/support/product/product.ts';
import { openSink } from './support/sink.ts';

const SETTLE_MS = 20_000;
const IDLE_MS = 60_000;
/** Longer than the agent waits before it gives memory back. */
const AFTER_LOAD_MS = 70_000;
const DOWNLOADS = 6;
const DOWNLOAD_BYTES = 128 * 1024 * 1024;
const DAY_SECONDS = 86_400;

const starter = await readFile(path.join(repository, 'apps/agent/install/20-fetch.sh'), 'utf8');
const runtime = await readFile(path.join(repository, 'apps/agent/install/30-runtime.sh'), 'utf8');
const nodeOptions = must(/^NODE_OPTIONS_OF_AGENT='(.*)'$/m.exec(runtime)?.[1], 'options of Node.js').split(' ');
const variables = must(/^export (MALLOC.*)$/m.exec(starter)?.[1], 'variables').split(' ');

async function readMemory(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Math.round((Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) * 1.024) / 1000);
  return `${megabytes('VmRSS')} MB resident, ${megabytes('RssAnon')} MB of it its own`;
}

/** How often threads of the process have been given the processor. */
async function countSwitches(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/status`, 'utf8')));
  return texts
    .flatMap((text) => [...text.matchAll(/ctxt_switches:\s+(\d+)/g)])
    .reduce((sum, [, n]) => sum + Number(n), 0);
}

/** Bytes of TLS both ways, without the headers of TCP and IP. */
function countBytes(tunnelPort: number): number {
  const text = execFileSync('ss', ['-tinH', `dport = :${tunnelPort}`], { encoding: 'utf8' });
  return [...text.matchAll(/bytes_(?:sent|received):(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

await using parts = new AsyncDisposableStack();
const product = parts.use(await startProduct({ args: ['--no-local-agent'] }));
const client = new ApiClient(product);
const { token } = await client.logIn();
const agentFile = path.join(repository, 'apps/agent/dist/tongtu-agent.mjs');
const stateDir = await freshFolder('idle-agent');
const start = (env: NodeJS.ProcessEnv, args: string[] = []) =>
  new ChildGroup(
    process.execPath,
    [...nodeOptions, agentFile, '--state', stateDir, '--server', product.consoleUrl, ...args],
    {
      cwd: stateDir,
      env: { PATH: process.env['PATH'], ...Object.fromEntries(variables.map((each) => each.split('='))), ...env },
    },
  );
// As the install script does: enrolled by one process, kept running by another.
await start({ TONGTU_TOKEN: token }, ['--online-within', '60', '--name', 'idle']).exited;
const agent = parts.use(start({}));
const device = await client.waitForDevice('the agent', ({ name, online }) => name === 'idle' && online);
const { pid } = agent;

await sleep(SETTLE_MS);
console.log(`idle: ${await readMemory(pid)}`);
const [switches, bytes] = [await countSwitches(pid), countBytes(product.ports.tunnel)];
await sleep(IDLE_MS);
const perDay = (countBytes(product.ports.tunnel) - bytes) * (DAY_SECONDS / (IDLE_MS / 1000));
console.log(`idle: ${(await countSwitches(pid)) - switches} wake-ups a minute, ${(perDay / 1e6).toFixed(2)} MB a day`);

const source = createServer((socket) => socket.on('error', () => {}).end(Buffer.alloc(DOWNLOAD_BYTES)));
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
parts.defer(() => void source.close());
const { port } = source.address() as { port: number }; // listens on TCP
const target = `tcp://127.0.0.1:${port}`;
const mapping = await client.createMapping({ router: device.id, kind: 'tcp', target, policy: 'public' });
await Promise.all(Array.from({ length: DOWNLOADS }, () => openSink(must(mapping.port, 'port'), DOWNLOAD_BYTES)));
console.log(`after ${DOWNLOADS} downloads: ${await readMemory(pid)}`);
await sleep(AFTER_LOAD_MS);
console.log(`${AFTER_LOAD_MS / 1000} s later: ${await readMemory(pid)}`);
