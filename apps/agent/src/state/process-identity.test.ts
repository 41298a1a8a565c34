import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isRunning, ownProcess } from './process-identity.ts';

test('this process is running; one with its process id and another start time is not', async () => {
  const own = await ownProcess();
  expect(await isRunning(own)).toBe(true);
  expect(await isRunning({ ...own, startedAt: `${own.startedAt}0` })).toBe(process.platform !== 'linux');
});

test.runIf(process.platform === 'linux')('a process that has ended but was not waited for is not running', async () => {
  // The shell becomes `sleep`, which never waits for the child of the shell.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    await expect.poll(() => readFile(`/proc/${parent.pid}/cmdline`, 'latin1')).toMatch(/^sleep/);
    process.kill(pid, 'SIGKILL');
    const statOf = async () => await readFile(`/proc/${pid}/stat`, 'latin1');
    await expect.poll(statOf).toContain(') Z ');
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const startTick = (await statOf()).split(') ')[1]?.split(' ')[19];

    expect(await isRunning({ pid, startedAt: `${boot} ${startTick}` })).toBe(false);
  } finally {
    parent.kill();
  }
});
