// Writes docs/openapi.json from the contract; `--check` fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildOpenApi } from '../apps/server/src/http/open-api.ts';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'docs/openapi.json');
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
const text = `${JSON.stringify(buildOpenApi(version), undefined, 2)}\n`;
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/openapi.json is stale: run `node tools/write-openapi.ts`');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
