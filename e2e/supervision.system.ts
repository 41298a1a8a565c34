import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, readdir, rename } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { findRelayPids } from './support/product/processes.ts';
import { freshFolder, type Product, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

/** The product with one relay process, with a copy of Node.js that a test can remove. */
async function startWithOwnNode() {
  const node = path.join(await freshFolder('node'), 'node');
  await copyFile(process.execPath, node, constants.COPYFILE_FICLONE);
  const product = await startProduct({ node, args: ['--no-local-agent'] });
  saveLogOnFailure('supervision', product.child);
  return {
    product,
    takeNodeAway: async () => await rename(node, `${node}.away`),
    bringNodeBack: async () => await rename(`${node}.away`, node),
    [Symbol.asyncDispose]: async () => await product[Symbol.asyncDispose](),
  };
}

async function relayPid({ child }: Product): Promise<number> {
  return await waitFor('the relay', 30_000, async () => (await findRelayPids(child.pid)).get(1));
}

function triesOf({ child }: Product): number {
  return child.output.match(/a relay process could not be started and is tried again/g)?.length ?? 0;
}

async function isServed({ ports }: Product): Promise<boolean> {
  return (await request({ port: ports.http, path: '/api/login_status/' })).status === 200;
}

test('a relay that ends while its program is missing is retried until it is back, and a stop does not wait for it', async () => {
  await using house = await startWithOwnNode();
  const { product } = house;
  const before = await relayPid(product);

  await house.takeNodeAway();
  process.kill(before, 'SIGKILL');
  await waitFor('three tries', 30_000, () => triesOf(product) >= 3);
  expect(product.child.output).toContain('ENOENT');
  await house.bringNodeBack();

  await waitFor('visitors are served again', 60_000, () => isServed(product));
  expect(await relayPid(product)).not.toBe(before);

  await house.takeNodeAway();
  process.kill(await relayPid(product), 'SIGKILL');
  const tries = triesOf(product);
  await waitFor('another try', 30_000, () => triesOf(product) > tries);
  product.child.signalLeader('SIGTERM');
  // A stop that had to wait for a relay would be forced, with exit code 1.
  expect(await product.child.exited).toEqual({ code: 0, signal: null });
});

test('a hung relay is killed, and the next one serves visitors', async () => {
  await using product = await startProduct({ args: ['--no-local-agent'] });
  saveLogOnFailure('supervision-hung', product.child);
  const before = await relayPid(product);

  process.kill(before, 'SIGSTOP');

  await waitFor('visitors are served again', 90_000, async () => {
    return (await findRelayPids(product.child.pid)).get(1) !== before && (await isServed(product));
  });
  expect(product.child.output).toContain('a relay process hung, was killed and is started again');
});

test('a relay without free file descriptors logs it, and serves again when some are free', async () => {
  await using product = await startProduct({ args: ['--no-local-agent'] });
  saveLogOnFailure('supervision-descriptors', product.child);
  const pid = await relayPid(product);
  const openFiles = (await readdir(`/proc/${pid}/fd`)).length;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles + 20}:`]);

  const visitors = Array.from({ length: 40 }, () => net.connect(product.ports.http, '127.0.0.1'));
  for (const visitor of visitors) visitor.on('error', () => undefined); // some are refused
  await waitFor('the log line', 30_000, () => product.child.output.includes('no file descriptor is left'));
  for (const visitor of visitors) visitor.destroy();

  await waitFor('visitors are served again', 30_000, () => isServed(product));
  expect(await relayPid(product)).toBe(pid);
});
