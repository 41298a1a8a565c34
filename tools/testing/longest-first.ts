import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest on two cores, of the whole and of the parts, the longest first. One that begins last is
 * waited for alone, and a fresh machine has no times of its own to go by: vitest would go by sizes, and some files only
 * call the tests of a folder.
 */
export const longestFiles = [
  'e2e/screens.e2e.ts',
  'e2e/cloud.e2e.ts',
  'e2e/accounts.e2e.ts',
  'e2e/gate.e2e.ts',
  'e2e/billing.e2e.ts',
  'e2e/login.e2e.ts',
  'e2e/main-job.e2e.ts',
  'e2e/durability.system.ts',
  'e2e/relay-processes.system.ts',
  'e2e/first-start.system.ts',
  'e2e/faults.system.ts',
  'e2e/other-tenants.e2e.ts',
  'e2e/floods.system.ts',
  'apps/server/src/features/certificates/certificate-processes.db.test.ts',
  'apps/gateway/src/files/http/uploads.test.ts',
  'tools/build/build-web.test.ts',
  'apps/agent/src/main.test.ts',
  'apps/server/src/db/embedded/embedded-postgres.db.test.ts',
  'tools/check.test.ts',
  'apps/gateway/src/terminal/open-ssh.test.ts',
  'apps/gateway/src/aria2/downloads.test.ts',
];

/** Begins with the files that take longest; the others follow in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const index = longestFiles.indexOf(path.relative(root, moduleId));
      return index === -1 ? longestFiles.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
