import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENT_VERSION } from './version.ts';

test('the agent has the version of the installation, or the console would always offer an upgrade', async () => {
  const root = await readFile(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8');
  expect(JSON.parse(root)).toMatchObject({ version: AGENT_VERSION });
});
