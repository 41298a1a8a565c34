import { expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { MappingWriter } from './support/clients/mapping-writer.ts';
import { findProcesses, findServerPid } from './support/product/processes.ts';
import { emptyDataDir, launchProduct, pickPorts, startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const WRITERS = 4;
const ANSWERS_BEFORE_KILL = 20;

/** Two ways to kill a server: with its database, like a power cut, or alone. */
const deaths: Record<string, (product: Product) => Promise<void>> = {
  'the whole process group': async ({ child }) => child.signal('SIGKILL'),
  'the server process alone': async ({ child }) => void process.kill(await findServerPid(child.pid), 'SIGKILL'),
};

test.each(Object.keys(deaths))('kill -9 of %s during writes loses nothing that was answered', async (how) => {
  const ports = await pickPorts();
  await using first = await startProduct({ ports });
  saveLogOnFailure('durability-before', first.child);
  const client = new ApiClient(first);
  await client.logIn();
  const device = await client.waitForDevice('the local device is online', ({ online }) => online);
  const writers = Array.from(
    { length: WRITERS },
    (_, index) => new MappingWriter(client, { deviceId: device.id, name: `w${index}` }),
  );
  const writing = Promise.all(writers.map((writer) => writer.writeUntilStopped()));
  await waitFor('enough writes are answered', 60_000, () =>
    writers.every((writer) => writer.answeredCount >= ANSWERS_BEFORE_KILL),
  );

  await deaths[how]?.(first);
  await writing;
  await first.child.exited;

  await using second = await startProduct({ dataDir: first.dataDir, ports });
  saveLogOnFailure('durability-after', second.child);
  const again = new ApiClient(second);
  await again.logIn();
  const back = await again.waitForDevice('the device is back', ({ online }) => online);
  expect(back.uid).toBe(device.uid);
  expect(writers.flatMap((writer) => writer.brokenPromises(back.mappings))).toEqual([]);
});

test('SIGTERM ends everything, the database too, with code 0', async () => {
  await using product = await startProduct({ throughNpm: true });
  saveLogOnFailure('sigterm', product.child);
  await waitFor('the start is over', 30_000, () => product.child.output.includes('Ctrl+C'));
  expect(await findProcesses(product.dataDir)).not.toEqual([]);

  product.child.signalLeader('SIGTERM'); // like a supervisor, which signals only npm

  expect(await product.child.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft(product);
});

test('SIGTERM during the start leaves no process behind, and the next start works', async () => {
  await using product = await launchProduct({ dataDir: await emptyDataDir(), throughNpm: true });
  saveLogOnFailure('sigterm-early', product.child);
  await waitFor('the database is being made', 60_000, async () => (await findProcesses(product.dataDir)).length > 0);

  product.child.signalLeader('SIGTERM');

  await product.child.exited;
  await expectNothingLeft(product);
  const { dataDir } = product;
  await using second = await launchProduct({ dataDir, throughNpm: true });
  await waitFor('the database starts', 30_000, async () => (await findProcesses(dataDir)).length > 0);
  second.child.signal('SIGTERM'); // all processes, as terminals and systemd do

  expect(await second.child.exited).toEqual({ code: 0, signal: null });
  expect(second.child.output).not.toContain('无法启动');
  await expectNothingLeft(second);
  await using next = await startProduct({ dataDir });
  expect(next.child.exit).toBeUndefined();
});

async function expectNothingLeft(product: Product): Promise<void> {
  await waitFor('no process is left', 30_000, async () => (await findProcesses(product.dataDir)).length === 0);
}
