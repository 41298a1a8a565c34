import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyDataDir, PREPARED_DATA_DIR, startProduct } from './product.ts';
import { waitFor } from './wait-for.ts';

/** What no test of a copy is about: no power fails while it runs. durability.system.ts has first starts of its own. */
const WITHOUT_SYNC = `
fsync = off
synchronous_commit = off
full_page_writes = off
`;

/**
 * Vitest's global set-up: one first start for all tests, whose data folder each product starts from a copy of. The two
 * projects of this folder share it.
 */
export async function setup(): Promise<void> {
  if (process.env[PREPARED_DATA_DIR] !== undefined) return;
  const dataDir = await emptyDataDir();
  const product = await startProduct({ dataDir, args: ['--no-local-agent'] });
  await waitFor('the first start is over', 30_000, () => product.child.output.includes('Ctrl+C'));
  await product[Symbol.asyncDispose]();
  await appendFile(path.join(dataDir, 'postgres/postgresql.auto.conf'), WITHOUT_SYNC);
  process.env[PREPARED_DATA_DIR] = dataDir;
}
