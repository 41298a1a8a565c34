import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: 'node', include: ['{apps/server,apps/relay,apps/agent,packages,stack,tools}/**/*.test.ts'], globalSetup: './apps/server/src/db/testing/shared-postgres.ts' } },
      { extends: true, test: { name: 'web', include: ['apps/web/**/*.test.{ts,tsx}'], environment: 'happy-dom' } },
    ],
  },
});
