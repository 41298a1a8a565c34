import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { must } from '@tongtu/base';
import { upgradeProof } from '@tongtu/tunnel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdentity } from '../state/identity.ts';
import { writeStateFile } from '../state/state-file.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { UpgradeFolder } from '../upgrade/upgrade-folder.ts';
import { handOver, passTrial, postponeTrial, PROBATION_MS, RESTART_EXIT_CODE } from './hand-over.ts';

const INSTALLED = '0.1.0';
const MINUTE_MS = 60_000;

const exit = vi.fn<typeof process.exit>();
let state: TemporaryFolder;

beforeEach(async () => {
  state = await makeTemporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.spyOn(process, 'exit').mockImplementation(exit);
});

afterEach(async () => {
  await state[Symbol.asyncDispose]();
  vi.advanceTimersByTime(MINUTE_MS + PROBATION_MS); // ends the watch of the event loop
  vi.useRealTimers();
  vi.restoreAllMocks();
  exit.mockReset();
  forgetHandOver();
});

/** As a new process. */
function forgetHandOver(): void {
  delete process.env['TONGTU_UPGRADED'];
}

/** Keeps an agent with this code for the next start. */
async function stage(code: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const upgradeKey = must(publicKey.export({ format: 'jwk' }).x, 'key');
  const relay = { relayPin: 'p'.repeat(43), tunnelHost: '127.0.0.1', tunnelPort: 7000, tunnels: [] };
  const device = { version: 1, uid: null, privateKey: createIdentity().privateKey, upgradeKey } as const;
  await writeStateFile(state.path, { ...device, ...relay, serverUrl: 'http://127.0.0.1:9' });
  const offer = { version: '0.2.0', sha256: createHash('sha256').update(code).digest('hex') };
  const signature = sign(null, upgradeProof(offer), privateKey).toString('base64url');
  await new UpgradeFolder(state.path, upgradeKey).stage(Buffer.from(code), { ...offer, signature }, INSTALLED);
}

test('an agent on trial that is not online within a minute makes way for the installed one', async () => {
  await stage('export {}');
  expect(await handOver(state.path, INSTALLED)).toBe(true);
  vi.advanceTimersByTime(MINUTE_MS - 1);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[RESTART_EXIT_CODE]]));
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(false);
});

test('an agent on trial that cannot start makes way at once', async () => {
  await stage('throw new Error("broken")');
  await handOver(state.path, INSTALLED);
  expect(exit.mock.calls).toEqual([[RESTART_EXIT_CODE]]);
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(false);
});

test('an agent on trial that is online for five minutes stays, also at the next start', async () => {
  await stage('export {}');
  await handOver(state.path, INSTALLED);
  await passTrial(state.path);
  vi.advanceTimersByTime(PROBATION_MS);
  await vi.waitFor(async () => expect(await record()).toMatchObject({ phase: 'confirmed', onProbation: false }));
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(true);
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(true);
  expect(exit).not.toHaveBeenCalled();
});

test('an agent on trial that ends soon after it came online makes way, and the version is named', async () => {
  await stage('export {}');
  await handOver(state.path, INSTALLED);
  await passTrial(state.path);
  vi.advanceTimersByTime(PROBATION_MS - 1);
  forgetHandOver();
  const rolledBack = vi.fn<(version: string) => void>();
  expect(await handOver(state.path, INSTALLED, rolledBack)).toBe(false);
  expect(rolledBack.mock.calls).toEqual([['0.2.0']]);
});

test('an agent on trial that a person stops is tried again at the next start', async () => {
  await stage('export {}');
  await handOver(state.path, INSTALLED);
  await postponeTrial(state.path);
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(true);
  await passTrial(state.path);
  await postponeTrial(state.path);
  forgetHandOver();
  expect(await handOver(state.path, INSTALLED)).toBe(true);
});

async function record(): Promise<unknown> {
  return JSON.parse(await readFile(path.join(state.path, 'upgrade/upgrade.json'), 'utf8'));
}
