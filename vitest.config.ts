import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Each of these starts the whole product on ports and folders of its own, and gets the time to do so. */
const wholeProduct = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  globalSetup: './e2e/support/temporary-root.ts',
};

export default defineConfig({
  test: {
    // They wait for sockets and timers a good part of their time, so two cores serve three files.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 20_000,
    // A condition is waited for as long as the test itself may take: how fast a busy machine is, is no matter of a test.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{apps/server,apps/relay,apps/agent,packages,stack,tools}/**/*.test.ts'],
          globalSetup: './apps/server/src/db/testing/shared-postgres.ts',
        },
      },
      { extends: true, test: { name: 'web', include: ['apps/web/**/*.test.{ts,tsx}'], environment: 'happy-dom' } },
      { extends: true, test: { name: 'system', include: ['e2e/*.system.ts'], ...wholeProduct } },
      { extends: true, test: { name: 'e2e', include: ['e2e/*.e2e.ts'], ...wholeProduct } },
    ],
  },
});
