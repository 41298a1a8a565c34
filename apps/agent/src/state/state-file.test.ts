import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { createIdentity } from './identity.ts';
import { type AgentState, readStateFile, writeStateFile } from './state-file.ts';

const state: AgentState = {
  version: 1,
  serverUrl: 'https://tongtu.example.com',
  privateKey: createIdentity().privateKey,
  uid: null,
  relayPin: 'A'.repeat(43),
  tunnelHost: 'tongtu.example.com',
  tunnelPort: 7000,
  tunnels: [{ host: 'tongtu.example.com', port: 7001 }],
};

test('a state is read back from a file that only its owner can read', async () => {
  await using folder = await makeTemporaryFolder();
  await writeStateFile(folder.path, state);
  expect(await readStateFile(folder.path)).toEqual(state);
  expect((await stat(path.join(folder.path, 'agent.json'))).mode & 0o777).toBe(0o600);
});

test('a file of an older agent with one relay is accepted', async () => {
  await using folder = await makeTemporaryFolder();
  const { tunnels: _, ...earlier } = state;
  await writeFile(path.join(folder.path, 'agent.json'), JSON.stringify(earlier));
  expect(await readStateFile(folder.path)).toEqual({ ...earlier, tunnels: [] });
});

test('a replaced file is complete, closed to other users, and leaves no draft', async () => {
  await using folder = await makeTemporaryFolder();
  await writeStateFile(folder.path, state);
  await Promise.all(['aaaaaaaaaaaa', 'bbbbbbbbbbbb'].map((uid) => writeStateFile(folder.path, { ...state, uid })));
  expect((await readStateFile(folder.path))?.uid).toMatch(/^(a{12}|b{12})$/);
  expect(await readdir(folder.path)).toEqual(['agent.json']);
});

test('an empty folder holds no state', async () => {
  await using folder = await makeTemporaryFolder();
  expect(await readStateFile(folder.path)).toBeUndefined();
});

test.each([
  ['text that is no JSON', '{"version":1,'],
  ['an empty file', ''],
  ['a key that is none', JSON.stringify({ ...state, privateKey: 'AAAA' })],
  ['a missing pin', JSON.stringify({ ...state, relayPin: undefined })],
  ['a later version', JSON.stringify({ ...state, version: 2 })],
])('%s is reported as damaged and stays unchanged', async (_, text) => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'agent.json');
  await writeFile(file, text);
  await expect(readStateFile(folder.path)).rejects.toMatchObject({ code: 'state.damaged', exitCode: 5 });
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a file in place of the folder cannot be used', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'file');
  await writeFile(file, '');
  await expect(readStateFile(file)).rejects.toMatchObject({ code: 'state.unusable' });
  await expect(writeStateFile(file, state)).rejects.toMatchObject({ code: 'state.unusable' });
});
