import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type SwarmOptions = { port: number; consoleUrl: string; token: string };
export type SwarmOrder = { type: 'connect'; count: number } | { type: 'drop' };
export type SwarmReport = { online: number };

export type Swarm = AsyncDisposable & {
  /** Resolves when that many more devices are online. */
  connect: (count: number) => Promise<void>;
  /** Ends every connection at once; each comes back by itself, as an agent does. */
  dropAll: () => Promise<void>;
  waitForAll: () => Promise<void>;
};

/** Many idle devices in a process of their own, so that their work does not count as anybody else's. */
export async function startSwarm(options: SwarmOptions): Promise<Swarm> {
  const child = fork(path.join(import.meta.dirname, 'swarm-process.ts'), [JSON.stringify(options)]);
  let online = 0;
  let wanted = 0;
  let look = () => {};
  child.on('message', (report) => {
    online = (report as SwarmReport).online; // our own child
    look();
  });
  function waitFor(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the devices' process ended with code ${code}`)));
      look = () => isReached() && resolve();
      look();
    });
  }
  const waitForAll = () => waitFor(() => online === wanted);
  return {
    waitForAll,
    async connect(count) {
      wanted += count;
      child.send({ type: 'connect', count } satisfies SwarmOrder);
      await waitForAll();
    },
    async dropAll() {
      child.send({ type: 'drop' } satisfies SwarmOrder);
      await waitFor(() => online === 0);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
