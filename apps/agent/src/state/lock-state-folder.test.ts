import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { lockStateFolder } from './lock-state-folder.ts';
import { ownProcess } from './process-identity.ts';

const held = { code: 'state.in-use', exitCode: 5 };

test('a state folder is created closed to other users, and locked by one agent until it releases it', async () => {
  await using folder = await makeTemporaryFolder();
  const stateDir = path.join(folder.path, 'a', 'state');
  {
    await using _lock = await lockStateFolder(stateDir);
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    await expect(lockStateFolder(stateDir)).rejects.toMatchObject(held);
  }
  await using _again = await lockStateFolder(stateDir);
});

test('the lock of a process that has ended is stale', async () => {
  await using folder = await makeTemporaryFolder();
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  await writeFile(path.join(folder.path, 'agent.1.pid'), JSON.stringify({ pid: child.pid, startedAt: 'some boot 1' }));
  await using _lock = await lockStateFolder(folder.path);
  expect(await readdir(folder.path)).toEqual(['agent.2.pid']);
  expect(JSON.parse(await readFile(path.join(folder.path, 'agent.2.pid'), 'utf8'))).toEqual(await ownProcess());
});

test.runIf(process.platform === 'linux')(
  'another process with the same process id does not hold the lock',
  async () => {
    await using folder = await makeTemporaryFolder();
    const { pid, startedAt } = await ownProcess();
    const earlier = startedAt.replace(/\d+$/, (tick) => String(Number(tick) - 1));
    await writeFile(path.join(folder.path, 'agent.1.pid'), JSON.stringify({ pid, startedAt: earlier }));
    await using _lock = await lockStateFolder(folder.path);
  },
);

test('a damaged lock file does not lock the folder', async () => {
  await using folder = await makeTemporaryFolder();
  await writeFile(path.join(folder.path, 'agent.1.pid'), '{"pid":');
  await using _lock = await lockStateFolder(folder.path);
});

test('of many agents that start at once, exactly one locks the folder, in every round', async () => {
  await using folder = await makeTemporaryFolder();
  await writeFile(path.join(folder.path, 'agent.1.pid'), '');
  for (let round = 0; round < 30; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => lockStateFolder(folder.path)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const { value } of won) await value[Symbol.asyncDispose]();
  }
  expect(await readdir(folder.path)).toHaveLength(1);
});

test('a folder that cannot be created is reported as unusable', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'file');
  await writeFile(file, '');
  await expect(lockStateFolder(path.join(file, 'state'))).rejects.toMatchObject({
    code: 'state.unusable',
    exitCode: 5,
  });
});

test.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/y', '/dev/null/x'])(
  'a folder %s, which cannot be created, is named',
  async (folder) => {
    const unusable = { code: 'state.unusable', message: expect.stringContaining(folder) };
    await expect(lockStateFolder(folder)).rejects.toMatchObject(unusable);
  },
);
