import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type SwarmOptions = { port: number; consoleUrl: string; token: string };
export type SwarmOrder = { type: 'connect'; count: number } | { type: 'drop' };
/** `refused`: how many logins were, so far. `isDropped`: every connection that the last order was to end has ended. */
export type SwarmReport = { online: number; refused: number; isDropped?: boolean };

export type Swarm = AsyncDisposable & {
  /** Resolves when that many more devices are online. */
  connect: (count: number) => Promise<void>;
  /** Ends every connection at once; each comes back by itself, as an agent does. */
  dropAll: () => Promise<void>;
  waitForAll: () => Promise<void>;
  /** Logins that a relay has refused so far, to be tried again. */
  refused: () => number;
};

/** Many idle devices in a process of their own, so that their work does not count as anybody else's. */
export async function startSwarm(options: SwarmOptions): Promise<Swarm> {
  const child = fork(path.join(import.meta.dirname, 'swarm-process.ts'), [JSON.stringify(options)]);
  let online = 0;
  let refused = 0;
  let wanted = 0;
  let isDropped = false;
  let look = () => {};
  child.on('message', (message) => {
    const report = message as SwarmReport; // our own child
    ({ online, refused } = report);
    isDropped ||= report.isDropped === true;
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
    refused: () => refused,
    async connect(count) {
      wanted += count;
      child.send({ type: 'connect', count } satisfies SwarmOrder);
      await waitForAll();
    },
    async dropAll() {
      isDropped = false;
      child.send({ type: 'drop' } satisfies SwarmOrder);
      await waitFor(() => isDropped);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
