import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type SwarmOptions = { port: number; consoleUrl: string; token: string };
export type SwarmOrder = { type: 'connect'; count: number } | { type: 'drop' };
/** `refused`: how many logins were refused so far. `isDropped`: all connections of the last `drop` order have ended. */
export type SwarmReport = { online: number; refused: number; isDropped?: boolean };

export type Swarm = AsyncDisposable & {
  /** Resolves when that many more devices are online. */
  connect: (count: number) => Promise<void>;
  /** Ends all connections at once. Each device then reconnects as an agent does. */
  dropAll: () => Promise<void>;
  waitForAll: () => Promise<void>;
  /** The number of logins that a relay has refused so far; the devices try again. */
  refused: () => number;
};

/**
 * Many idle devices in a separate process, so that their CPU time and memory are not counted with those of the product.
 */
export async function startSwarm(options: SwarmOptions): Promise<Swarm> {
  const child = fork(path.join(import.meta.dirname, 'swarm-process.ts'), [JSON.stringify(options)]);
  let online = 0;
  let refused = 0;
  let wanted = 0;
  let isDropped = false;
  let look = () => {};
  child.on('message', (message) => {
    const report = message as SwarmReport; // the child process is swarm-process.ts
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
