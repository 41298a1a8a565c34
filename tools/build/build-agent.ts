import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { AGENT_FILE } from './agent-file.ts';

/** Small enough for a router with little flash. */
const MAX_BYTES = 500_000;

/** Builds the agent as one file that needs nothing but Node.js 20, into an empty folder. */
export async function buildAgent(root: string, outDir: string): Promise<void> {
  await build({
    root: path.join(root, 'apps/agent'),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [requireBuiltIns()],
    ssr: { noExternal: true, target: 'node' },
    build: {
      outDir,
      emptyOutDir: false,
      reportCompressedSize: false,
      ssr: 'src/main.ts',
      target: 'node20',
      minify: 'oxc',
      rolldownOptions: {
        output: { entryFileNames: AGENT_FILE, codeSplitting: false, banner: '#!/usr/bin/env node' },
      },
    },
  });
  const file = path.join(outDir, AGENT_FILE);
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new Error(`${AGENT_FILE} has ${size} bytes, more than ${MAX_BYTES}`);
  await chmod(file, 0o755);
}

/**
 * Makes `import` of built-in modules a `require`. Node.js evaluates each export of an imported one, and those of
 * `node:http` load its browser APIs: 14 MB of memory for as long as the agent runs (Node.js 24).
 */
function requireBuiltIns(): Plugin {
  const prefix = '\0required:';
  return {
    name: 'require-built-ins',
    enforce: 'pre',
    resolveId(id, importer) {
      // The bundle makes its `require` with it.
      if (!id.startsWith('node:') || id === 'node:module') return null;
      return importer?.startsWith(prefix) ? { id, external: true } : `${prefix}${id}`;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      return `module.exports = require(${JSON.stringify(id.slice(prefix.length))});`;
    },
  };
}
