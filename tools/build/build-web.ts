import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type InlineConfig, minifySync, type Rolldown, transformWithOxc } from 'vite';
import type { HeadScriptParts } from '../../apps/web/build/head-parts.ts';
import { compressFiles } from './compress-files.ts';

type Chunk = Rolldown.OutputChunk;

const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//;

const devicesPage = 'devices/devices-page.tsx';

/** The screens whose files the page loads ahead, by their path in the router without an id, with the query of another view. */
const screenModules = {
  '/devices': [devicesPage],
  '/devices?view=launcher': [devicesPage, 'devices/launcher/launcher.tsx'],
  '/record': ['records/records-page.tsx'],
  '/user/info': ['account/user-info-page.tsx'],
  '/announcements': ['announcements/announcements-page.tsx'],
  '/apps': ['cloud-apps/app-page.tsx'],
};

/** Chunks in this order, by the modules for which each is loaded. A module that several need is in the first of them. */
const chunkModules = {
  devices: [devicesPage],
  'app-page': ['cloud-apps/app-page.tsx'],
  captcha: ['main-captcha.tsx', 'captcha/captcha-dialog.tsx'],
  // What a list of devices shows besides, if there is any of it.
  'devices-parts': [
    ...['cloud-apps/app-list', 'cloud-apps/shared-apps', 'groups/group-head', 'many/many-bar', 'many/choose-box'],
    ...['first-steps/first-steps-card', 'banners/banners'],
  ].map((name) => `devices/${name}.tsx`),
  select: ['devices/list/sort-select.tsx', 'devices/groups/group-select.tsx'],
};

/** Chunks of several screens and dialogs, by the paths of their modules. Every other screen is a chunk of its own. */
const chunkPaths = {
  dialogs: /\/features\/(devices|confirm)\/.*-dialog\.tsx$/,
  manage: /\/features\/manage\//,
  shop: /\/features\/(shop|community)\//,
};

/** These need little of what the other screens share: it is a chunk of its own, so that they do not load the rest. */
const lightScreens = [
  ...['cloud-apps/terminal/terminal-screen', 'cloud-apps/files/files-screen', 'cloud-apps/downloads/downloads-screen'],
  ...['devices/lan/lan-page', 'statistics/statistics-page', 'visits/visits-page', 'palette/palette'],
].map((name) => `${name}.tsx`);

/** Apps are opened in pages of their own: what one of their screens needs too is not moved to a shared chunk for that. */
const APP_SCREEN = /\/features\/cloud-apps\//;

/** The file of the output that says which files each screen needs. It is not served, as no file with a dot is. */
export const PAGE_FILES = '.page-files.json';

/** What a browser loads for each screen before it can be used: URLs of scripts and styles. */
export type PageFiles = {
  /** What starts every screen, and with it the gate and the login. */
  start: string[];
  check: string[];
  login: string[];
  screens: Record<string, string[]>;
  captcha: string[];
};

/**
 * Builds the console into an empty folder: the console itself, the page that starts it, the HTML around both, and
 * PageFiles as JSON.
 */
export async function buildWeb(root: string, outDir: string): Promise<void> {
  const web = path.join(root, 'apps/web');
  const shared = { root: web, logLevel: 'warn' } as const;
  const options = { outDir, emptyOutDir: false, reportCompressedSize: false };
  const consoleChunks = await buildInGroups({ ...shared, build: options }, consoleGroups);
  const configFile = path.join(web, 'vite.start.config.ts');
  const startChunks = await buildInGroups({ ...shared, configFile, build: options }, startGroups);
  const start = entryOf(startChunks, 'main-start.ts');
  const consoleEntry = entryOf(consoleChunks, 'main-console.ts');
  const captcha = entryOf(consoleChunks, 'main-captcha.tsx');
  const frame = entryOf(consoleChunks, 'src/console.tsx');
  const filesOf = (...chunks: Chunk[]) => listFiles(consoleChunks, chunks);
  const screens = Object.fromEntries(
    Object.entries(screenModules).map(([route, parts]) => [
      route,
      filesOf(consoleEntry, frame, ...parts.map((module) => entryOf(consoleChunks, module))),
    ]),
  );
  const modules = { console: filesOf(consoleEntry), captcha: filesOf(captcha) };
  const withStart = (module: string) => listFiles(startChunks, [start, entryOf(startChunks, module)]);
  const files: PageFiles = {
    start: listFiles(startChunks, [start]),
    check: withStart('check/gate.tsx'),
    login: withStart('login/login-screen.tsx'),
    screens,
    captcha: filesOf(captcha),
  };
  const notAlways = (list: string[]) => list.filter((file) => !files.start.includes(file));
  const parts = {
    start: `/${start.fileName}`,
    modules,
    screens,
    check: notAlways(files.check),
    login: notAlways(files.login),
  };
  const page = await readFile(path.join(web, 'index.html'), 'utf8');
  const scripts = [await writeOlderBrowsers(web, outDir), await makeHeadScript(web, parts)];
  await writeFile(path.join(outDir, 'index.html'), renderPage(page, scripts, files.start));
  await compressFiles(outDir);
  await writeFile(path.join(outDir, PAGE_FILES), JSON.stringify(files));
}

type Group = { name: string; modules: Set<string> };

/**
 * Few chunks, of which a screen loads only what it needs. A first build, which writes nothing, says who needs what. A
 * module is in the first group that has it.
 */
async function buildInGroups(
  { build: options, ...config }: InlineConfig,
  groupsOf: (trial: Map<string, Chunk>) => Group[],
): Promise<Map<string, Chunk>> {
  const trial = chunksOf(await build({ ...config, build: { ...options, write: false, minify: false } }));
  const all = groupsOf(trial);
  // With a module these groups contain all that it imports, except what a group before them has.
  const groups = all.map((group, index) => ({
    name: group.name,
    test: (module: string) => all.find(({ modules }) => modules.has(module)) === group,
    priority: all.length - index,
  }));
  const output = { codeSplitting: { groups } };
  return chunksOf(await build({ ...config, build: { ...options, rolldownOptions: { output } } }));
}

function consoleGroups(trial: Map<string, Chunk>): Group[] {
  const frame = modulesOf(trial, 'main-console.ts', 'src/console.tsx');
  // These change with their own releases only: a new version of the console does not reload them.
  const react = new Set([...frame].filter((module) => FRAMEWORK.test(module)));
  const listed = Object.entries(chunkModules).map(([name, modules]) => ({
    name,
    modules: modulesOf(trial, ...modules),
  }));
  return [{ name: 'react', modules: react }, { name: 'frame', modules: frame }, ...listed, ...groupsOfScreens(trial)];
}

/**
 * The chunks of the other screens. What several of them need is in three chunks: one for the screens that need little of
 * it, one for those whose files the page loads ahead, and one for the rest.
 */
function groupsOfScreens(trial: Map<string, Chunk>): Group[] {
  const modulesByChunk = new Map<string, Set<string>>();
  for (const entry of trial.values()) {
    const module = entry.facadeModuleId ?? '';
    if (!entry.isDynamicEntry || APP_SCREEN.test(module)) continue;
    const [name = module] = Object.entries(chunkPaths).find(([, paths]) => paths.test(module)) ?? [];
    modulesByChunk.set(name, new Set([...(modulesByChunk.get(name) ?? []), ...modulesOfChunks(trial, [entry])]));
  }
  const chunks = [...modulesByChunk.values()];
  const isShared = (module: string) => chunks.filter((modules) => modules.has(module)).length > 1;
  const shared = new Set(chunks.flatMap((modules) => [...modules].filter(isShared)));
  const light = modulesOf(trial, ...lightScreens);
  const early = modulesOf(trial, ...Object.values(screenModules).flat());
  return [
    { name: 'shared-light', modules: new Set([...shared].filter((module) => light.has(module))) },
    { name: 'shared-early', modules: new Set([...shared].filter((module) => early.has(module))) },
    { name: 'shared-rest', modules: shared },
    ...Object.keys(chunkPaths).map((name) => ({ name, modules: modulesByChunk.get(name) ?? new Set<string>() })),
  ];
}

function startGroups(trial: Map<string, Chunk>): Group[] {
  return [
    { name: 'base', modules: modulesOf(trial, 'main-start.ts') },
    { name: 'gate', modules: modulesOf(trial, 'main-start.ts', 'check/gate.tsx') },
    { name: 'login', modules: modulesOf(trial, 'main-start.ts', 'login/login-screen.tsx') },
  ];
}

/** All modules that a browser loads for these. */
function modulesOf(chunks: Map<string, Chunk>, ...names: string[]): Set<string> {
  return modulesOfChunks(
    chunks,
    names.map((name) => entryOf(chunks, name)),
  );
}

function modulesOfChunks(chunks: Map<string, Chunk>, entries: readonly Chunk[]): Set<string> {
  const files = listFiles(chunks, entries);
  return new Set(files.flatMap((file) => chunks.get(file.slice(1))?.moduleIds ?? []));
}

function chunksOf(output: Awaited<ReturnType<typeof build>>): Map<string, Chunk> {
  if (!('output' in output)) throw new Error('vite returned no single output');
  const chunks = output.output.filter((part) => part.type === 'chunk');
  return new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
}

/** The chunk with this module. */
function entryOf(chunks: Map<string, Chunk>, module: string): Chunk {
  const found = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
  if (found === undefined) throw new Error(`the build has no chunk for ${module}`);
  return found;
}

/** The chunks with all that they import, and their styles. */
function listFiles(chunks: Map<string, Chunk>, entries: readonly Chunk[]): string[] {
  const files = new Set<string>();
  function add(chunk: Chunk): void {
    if (files.has(`/${chunk.fileName}`)) return;
    files.add(`/${chunk.fileName}`);
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(`/${css}`);
    for (const name of chunk.imports) {
      const imported = chunks.get(name);
      if (imported !== undefined) add(imported);
    }
  }
  for (const entry of entries) add(entry);
  return [...files];
}

/** The page with its own scripts in the head, and the modules in place of those that Vite's server would transform. */
function renderPage(page: string, scripts: readonly string[], start: readonly string[]): string {
  const tags = start.map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" href="${file}" />`
      : `<script type="module" src="${file}"></script>`,
  );
  const marker = /\s*<script type="module" src="\/src\/main\.ts"><\/script>/;
  if (!marker.test(page)) throw new Error('index.html does not load /src/main.ts');
  return page.replace(marker, '').replace('</head>', () => {
    const inline = scripts.map((script) => `<script>${script}</script>`);
    return `  ${[...inline, ...tags].join('\n    ')}\n  </head>`;
  });
}

/** Writes the file for older browsers. Returns the script that loads it where the newest function that it has is missing. */
async function writeOlderBrowsers(web: string, outDir: string): Promise<string> {
  const script = `(${await readFunction(path.join(web, 'build/older-browsers.ts'))})()\n`;
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
  const name = `assets/older-browsers-${hash}.js`;
  await writeFile(path.join(outDir, name), script);
  return `(self.URL||0).parse||document.write('<script src="/${name}"><\\/script>')`;
}

/** The script as text that runs by itself. */
async function makeHeadScript(web: string, parts: HeadScriptParts): Promise<string> {
  const script = `(${await readFunction(path.join(web, 'build/head-script.ts'))})(${JSON.stringify(parts)})`;
  return minifySync('head-script.js', script).code.trim();
}

/** The only function of a file, without its types. */
async function readFunction(file: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, { sourcemap: false, target: 'chrome86' });
  return code.replace(/^export /m, '').trim();
}
