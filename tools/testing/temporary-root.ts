import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs once around all tests of a project and deletes their temporary files at the end. */
export async function setup(): Promise<() => Promise<void>> {
  const root = await mkdtemp(path.join(tmpdir(), 'tongtu-tests-'));
  await chmod(root, 0o755); // the database and the installed agent run as users of their own
  process.env['TMPDIR'] = root;
  return async () => await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
