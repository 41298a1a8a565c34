import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';

const MODULE = path.join(import.meta.dirname, 'watch-event-loop.ts');

/** How a process ends that is watched and then runs this code. */
async function endOf(code: string): Promise<unknown[]> {
  const program = `import { watchEventLoop } from ${JSON.stringify(MODULE)};
    const watch = await watchEventLoop({ maxMissed: 25, everyMs: 20 });
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 30_000, // then by SIGTERM
  });
  return await once(child, 'exit');
}

test('a process that blocks its event loop is killed', async () => {
  expect(await endOf('setTimeout(() => { for (;;); }, 50)')).toEqual([null, 'SIGKILL']);
});

test('a process is not killed for a short block, nor kept from ending by itself', async () => {
  const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);';
  expect(await endOf(`${block} setTimeout(() => {}, 100);`)).toEqual([0, null]);
});

test('after its end the watch kills nothing', async () => {
  const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);';
  expect(await endOf(`watch[Symbol.dispose](); setTimeout(() => { ${block} }, 100);`)).toEqual([0, null]);
});
