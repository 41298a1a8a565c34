import path from 'node:path';
import { build } from 'vite';

/** Builds the console, as its own vite.config.ts says, into an empty folder. */
export async function buildWeb(root: string, outDir: string): Promise<void> {
  await build({
    root: path.join(root, 'apps/web'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: false, reportCompressedSize: false },
  });
}
