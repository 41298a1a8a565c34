import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appLayers } from './architecture/layers.ts';
import { architectureRules } from './architecture/rules.ts';

const CHECK = path.resolve(import.meta.dirname, 'check-architecture.ts');
const NPM_PACKAGES = ['kysely', 'pg', 'fastify', 'zod', 'react', 'antd'];

/** Every layer of the apps with the file that it may import: of the layer before it. */
const soundLayers = Object.fromEntries(
  eachLayer(({ app, layer, before }) => [
    `apps/${app}/src/${layer}/sound.ts`,
    before === undefined ? 'export const sound = 1;' : importOf(app, layer, `${before}/sound.ts`),
  ]),
);

/** A file in each layer that imports the layer after it, the last one the app's root. */
const upwardImports = Object.fromEntries(
  eachLayer(({ app, layer, after }): [string, [string, string]] => [
    `${app}-${layer.replaceAll('/', '-')}-imports-downwards`,
    [
      `apps/${app}/src/${layer}/bad-upwards.ts`,
      importOf(app, layer, after === undefined ? 'index.ts' : `${after}/sound.ts`),
    ],
  ]),
);

type Layer = { app: string; layer: string; before: string | undefined; after: string | undefined };

function eachLayer<Entry>(entryOf: (layer: Layer) => Entry): Entry[] {
  return Object.entries(appLayers).flatMap(([app, names]) =>
    names.map((layer, at) => entryOf({ app, layer, before: names[at - 1], after: names[at + 1] })),
  );
}

function importOf(app: string, layer: string, target: string): string {
  const from = `apps/${app}/src/${layer}`;
  return `import '${path.posix.relative(from, `apps/${app}/src/${target}`).replace(/^(?!\.)/, './')}';`;
}

/** A small tree that keeps every rule. */
const soundTree: Record<string, string> = {
  'packages/base/src/index.ts': `import type { Buffer } from 'node:buffer'; export type Bytes = Buffer;`,
  'packages/contract/src/index.ts': `export * from './messages/errors.ts'; import 'zod'; import '@tongtu/base';`,
  'packages/contract/src/messages/errors.ts': `export const codes = {};`,
  'packages/tunnel/src/index.ts': `import '@tongtu/base'; export const mux = 1;`,
  'apps/server/src/index.ts': `import { redeem } from './features/keys/index.ts'; export { redeem };`,
  'apps/server/src/db/driver.ts': `import 'pg'; import 'kysely';`,
  'apps/server/src/http/mount.ts': `import 'fastify';`,
  'apps/server/src/features/keys/index.ts': `export { redeem } from './redeem.ts';`,
  'apps/server/src/features/keys/redeem.ts': `import './key-store.ts'; import '../orders/index.ts'; export const redeem = 1;`,
  'apps/server/src/features/keys/key-store.ts': `import 'kysely'; import '../../db/driver.ts';`,
  'apps/server/src/features/keys/key-routes.ts': `import 'fastify'; import '../../http/mount.ts';`,
  'apps/server/src/features/orders/index.ts': `export const order = 1;`,
  'apps/server/src/features/orders/pay.ts': `export async function pay() { await using lock = await take(); return lock; }`,
  'apps/server/migrations/0001-key.ts': `import 'kysely';`,
  'apps/relay/src/index.ts': `import '@tongtu/tunnel'; import 'node:net';`,
  'apps/agent/src/index.ts': `import '@tongtu/tunnel';`,
  'apps/gateway/src/index.ts': `import '@tongtu/contract';`,
  'apps/web/src/ui/card.tsx': `import 'react'; import 'antd'; export const card = <div />;`,
  'apps/web/src/features/keys/keys.tsx': `import '../../ui/card.tsx'; import type { mux } from '@tongtu/contract'; import '@tongtu/contract/errors';`,
  'apps/web/src/features/login/wechat/wechat-scan.tsx': `import 'react'; export const scan = <div />;`,
  'apps/web/src/features/account/bind.tsx': `import '../login/wechat/wechat-scan.tsx'; import '../confirm/ask.ts';`,
  'apps/web/src/features/confirm/ask.ts': `export const ask = 1;`,
  'stack/src/main.ts': `import '@tongtu/server'; import '@tongtu/relay';`,
  'e2e/main.e2e.ts': `import 'node:fs';`,
  ...soundLayers,
};

/** For each rule, a file that violates it. */
const violations: Record<string, [file: string, source: string]> = {
  'base-stands-alone': ['packages/base/src/bad.ts', `import 'zod';`],
  'packages-know-packages-below': ['packages/tunnel/src/bad.ts', `import '@tongtu/contract';`],
  'packages-do-no-io': ['packages/tunnel/src/bad-io.ts', `import { connect } from 'node:net';`],
  'apps-never-sideways': ['apps/relay/src/bad.ts', `import '@tongtu/server';`],
  'arrows-point-down': ['apps/agent/src/bad.ts', `import '../../../e2e/main.e2e.ts';`],
  'packages-know-no-app': ['packages/contract/src/bad.ts', `import '@tongtu/server';`],
  'stack-stands-on-apps': ['stack/src/bad.ts', `import '../../tools/bad.ts';`],
  'nothing-uses-e2e-or-bench': ['tools/bad.ts', `import '../e2e/main.e2e.ts';`],
  'features-by-public-api': ['apps/server/src/features/orders/bad.ts', `import '../keys/redeem.ts';`],
  'features-by-public-api-from-outside': ['apps/server/src/bad.ts', `import './features/keys/redeem.ts';`],
  'db-and-http-know-no-feature': ['apps/server/src/http/bad.ts', `import '../features/keys/index.ts';`],
  'db-knows-no-http': ['apps/server/src/db/bad.ts', `import '../http/mount.ts';`],
  'fastify-in-routes-only': ['apps/server/src/features/keys/bad-rule.ts', `import 'fastify';`],
  'sql-in-stores-only': ['apps/server/src/features/keys/bad-sql.ts', `import type { Kysely } from 'kysely';`],
  'migrations-import-no-app-code': ['apps/server/migrations/0002-bad.ts', `import '../src/db/driver.ts';`],
  'database-in-server-only': ['apps/agent/src/bad-db.ts', `import 'pg';`],
  'web-features-by-route': ['apps/web/src/features/orders/bad.tsx', `import '../keys/keys.tsx';`],
  'web-login-parts-for-account': [
    'apps/web/src/features/orders/bad-scan.tsx',
    `import '../login/wechat/wechat-scan.tsx';`,
  ],
  'web-ui-is-react-and-antd': ['apps/web/src/ui/bad.tsx', `import '../features/keys/keys.tsx';`],
  'web-takes-types-from-contract': ['apps/web/src/features/keys/bad.ts', `import { codes } from '@tongtu/contract';`],
  'web-uses-no-tunnel': ['apps/web/src/features/keys/bad-tunnel.ts', `import '@tongtu/tunnel';`],
  'web-uses-no-node': ['apps/web/src/features/keys/bad-node.ts', `import 'node:fs';`],
  'relay-folders-have-a-layer': ['apps/relay/src/bad-folder.ts', `import './net/bad/new.ts';`],
  'gateway-folders-have-a-layer': ['apps/gateway/src/bad-folder.ts', `import './bad/new.ts';`],
  'agent-folders-have-a-layer': ['apps/agent/src/bad-folder.ts', `import './bad/new.ts';`],
  ...upwardImports,
  'no-cycles': ['apps/agent/src/bad-loop-a.ts', `import './bad-loop-b.ts';`],
  'every-import-resolves': ['apps/agent/src/bad-nowhere.ts', `import './nowhere.ts';`],
  'other-workspaces-by-name': ['apps/agent/src/bad-path.ts', `import '../../../packages/tunnel/src/index.ts';`],
};

let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tongtu-architecture-'));
  for (const name of NPM_PACKAGES) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, '');
  }
  await mkdir(path.join(root, 'node_modules/@tongtu'));
  for (const folder of [
    'packages/base',
    'packages/contract',
    'packages/tunnel',
    'apps/server',
    'apps/relay',
    'apps/gateway',
    'apps/agent',
  ]) {
    const name = path.basename(folder);
    const exports = { '.': './src/index.ts', './errors': './src/messages/errors.ts' };
    await write(`${folder}/package.json`, JSON.stringify({ name: `@tongtu/${name}`, exports }));
    await symlink(path.join(root, folder), path.join(root, 'node_modules/@tongtu', name));
  }
  for (const [file, source] of Object.entries(soundTree)) await write(file, source);
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function write(file: string, source: string): Promise<void> {
  await mkdir(path.join(root, path.dirname(file)), { recursive: true });
  await writeFile(path.join(root, file), source);
}

function check(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('a valid tree passes, and every file is read', () => {
  const { status, output } = check();
  expect(output).toContain(`${Object.keys(soundTree).length} modules`);
  expect(output).toContain('0 violations');
  expect(status).toBe(0);
});

test('every rule finds the violation planted for it', async () => {
  for (const [file, source] of Object.values(violations)) await write(file, source);
  await write('apps/agent/src/bad-loop-b.ts', `import './bad-loop-a.ts';`);
  for (const folder of ['apps/relay/src/net/bad', 'apps/gateway/src/bad', 'apps/agent/src/bad'])
    await write(`${folder}/new.ts`, '');

  const { status, output } = check();

  const found = Object.entries(violations).filter(([rule, [file]]) => output.includes(`${rule}: ${file}`));
  expect(found.map(([rule]) => rule)).toEqual(Object.keys(violations));
  expect(status).toBe(1);
});

test('every rule has a planted violation', () => {
  const rules = [...architectureRules.map((rule) => rule.name), 'other-workspaces-by-name'];
  expect(Object.keys(violations).sort()).toEqual(rules.sort());
});
