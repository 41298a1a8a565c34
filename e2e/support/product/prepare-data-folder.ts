import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyDataDir, PREPARED_DATA_DIR, startProduct } from './product.ts';
import { waitFor } from '../wait-for.ts';

/**
 * Tests kill processes but not the machine, so writes need not reach the disk (fsync). Each commit is still handed to
 * the system before the answer (synchronous_commit), for durability.system.ts.
 */
const WITHOUT_SYNC = `
fsync = off
full_page_writes = off
`;

/**
 * Vitest's global set-up: one first start, whose data folder each product of the tests copies. Both projects of this
 * folder share it.
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
