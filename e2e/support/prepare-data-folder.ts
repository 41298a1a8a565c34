import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { emptyDataDir, PREPARED_DATA_DIR, startProduct } from './product.ts';
import { waitFor } from './wait-for.ts';

/**
 * No power fails while tests run, and what is killed is processes: what PostgreSQL has handed to the system is kept. That it
 * hands over each commit before it answers (synchronous_commit) stays on, for durability.system.ts.
 */
const WITHOUT_SYNC = `
fsync = off
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
