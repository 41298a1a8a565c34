import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/testing/longest-first.ts';

// The workers and the programs that tests start strip types and compile once, like the product's own processes.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, 'node_modules/.cache/node');

// Tests make and drop many objects: in a larger space for new ones, fewer are copied before they are dropped.
const execArgv = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

const temporaryRoot = './tools/testing/temporary-root.ts';

/** Each of these starts the whole product on ports and folders of its own, and gets the time to do so. */
const wholeProduct = {
  execArgv,
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  globalSetup: [temporaryRoot, './e2e/support/product/prepare-data-folder.ts'],
  // Two products, browsers and devices share a machine that may stand still for seconds. What needed it is named at the end
  // of `npm test`, which fails when there are more than two.
  retry: 1,
};

export default defineConfig({
  test: {
    // They wait for sockets, timers and other programs half of their time, so two cores serve four files.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Against a test that hangs. How long one takes on a busy machine is no reason to fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The same for a condition that never comes true.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          execArgv,
          isolate: false,
          include: ['{apps/server,apps/relay,apps/agent,apps/gateway,packages,stack,tools}/**/*.test.ts'],
          globalSetup: [temporaryRoot, './apps/server/src/db/testing/shared-postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          execArgv,
          isolate: false,
          include: ['apps/web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          alias: [{ find: /^uplot$/, replacement: path.resolve('apps/web/src/testing/plot-without-canvas.ts') }],
          setupFiles: ['wait-patiently', 'light-page', 'clean-page'].map((name) => `./apps/web/src/testing/${name}.ts`),
        },
      },
      { extends: true, test: { name: 'system', include: ['e2e/*.system.ts'], ...wholeProduct } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/*.e2e.ts'],
          ...wholeProduct,
          // The LANs first: they come to rest during the start of the product.
          globalSetup: ['./e2e/support/product/prepare-lans.ts', ...wholeProduct.globalSetup],
        },
      },
    ],
  },
});
