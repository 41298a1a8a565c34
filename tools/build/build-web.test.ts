import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../build.ts';
import { PAGE_FILES, type PageFiles } from './build-web.ts';

const root = path.resolve(import.meta.dirname, '../..');
const BUILD_TIMEOUT_MS = 120_000;
const folder = path.join(root, 'apps/web/dist');
let files: PageFiles;

// `npm test` has built the console before: a build takes ten seconds of both cores.
beforeAll(async () => {
  await ensureBuilt(root, () => undefined);
  files = JSON.parse((await read(PAGE_FILES)).toString()) as PageFiles; // written by buildWeb
}, BUILD_TIMEOUT_MS);

const read = (file: string) => readFile(path.join(folder, file));

/** What a browser downloads for these, in KB (1000 bytes) of gzip at its highest level. */
async function kilobytesOf(list: readonly string[], kind?: 'js' | 'css'): Promise<number> {
  const wanted = list.filter((file) => kind === undefined || file.endsWith(`.${kind}`));
  const sizes = await Promise.all(wanted.map(async (file) => gzipSync(await read(file), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

test('the gate has less than 31.5 KB of page, scripts and styles', async () => {
  expect(await kilobytesOf(['index.html', ...files.check])).toBeLessThan(31.5);
});

test('the login, with all sign-in methods, can be used after less than 50 KB of page, scripts and styles', async () => {
  expect(await kilobytesOf(['index.html', ...files.login])).toBeLessThan(50);
});

test.each([
  ['/devices', 330, 56],
  // It is a part of the devices' screen, with its own script besides.
  ['/devices?view=launcher', 336, 57],
  ['/record', 448, 63],
  ['/user/info', 462, 64],
  ['/announcements', 442, 62],
  ['/apps', 282, 54],
] as const)('%s can be used after at most %i KB of scripts and %i KB of styles', async (screen, scripts, styles) => {
  const list = [...files.start, ...(files.screens[screen] ?? [])];
  expect(list.some((file) => file.includes('launcher'))).toBe(screen.includes('launcher'));
  expect(await kilobytesOf(list, 'js')).toBeLessThanOrEqual(scripts);
  expect(await kilobytesOf(list, 'css')).toBeLessThanOrEqual(styles);
});

test('only the page of a terminal loads the emulator', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|css)$/.test(name));
  const withEmulator = await Promise.all(names.map(async (name) => ((await read(name)).includes('xterm') ? name : '')));
  const found = withEmulator.filter((name) => name !== '').map((name) => `/${name}`);
  expect(found).not.toEqual([]);
  const lists = [files.start, files.check, files.login, files.captcha, ...Object.values(files.screens)];
  expect(found.filter((file) => lists.some((list) => list.includes(file)))).toEqual([]);
});

test('the page asks for all files of a screen at once', async () => {
  const page = (await read('index.html')).toString();
  expect(page).not.toContain('/src/');
  const lists = [files.check, files.login, ...Object.values(files.screens)];
  for (const file of new Set(lists.flat())) expect(page).toContain(file);
});

test('the console is few files, because each request costs a browser processor time', async () => {
  const names = await readdir(path.join(folder, 'assets'));
  expect(names.filter((name) => name.endsWith('.js')).length).toBeLessThan(70);
  for (const list of Object.values(files.screens)) expect(list.length).toBeLessThan(20);
});

test('the screens of apps, and others that need little, do not load what most screens share', async () => {
  const light = /^(terminal-screen|files-screen|downloads-screen|lan-page|statistics-page|visits-page|palette)-.*\.js$/;
  const names = (await readdir(path.join(folder, 'assets'))).filter((name) => light.test(name));
  expect(names.length).toBe(7);
  const imports = await Promise.all(
    names.map(async (name) => (await read(`assets/${name}`)).toString().match(/from"\.\/shared-[a-z]+/g) ?? []),
  );
  expect([...new Set(imports.flat())]).toEqual(['from"./shared-light']);
});

test('no script has a library’s English for screen readers', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  const scripts = (await Promise.all(names.map(read))).join('\n');
  const iconName = /role:.img.,"aria-label":\w+\.name/;
  const tabPosition = /Tab \$\{/;
  expect([iconName, tabPosition].filter((english) => english.test(scripts))).toEqual([]);
});

test('the styles of components are a file, and no script makes them', async () => {
  const names = await readdir(path.join(folder, 'assets'));
  const textOf = async (kind: string) =>
    (await Promise.all(names.filter((name) => name.endsWith(kind)).map((name) => read(`assets/${name}`)))).join('\n');
  const [scripts, styles] = [await textOf('.js'), await textOf('.css')];
  for (const part of ['.ant-btn', '.ant-picker-dropdown', '.ant-modal', '.ant-message', '.ant-row'])
    expect(styles).toMatch(new RegExp(`:where\\([^()]*\\${part}[:)>. ]`));
  // Those of links are for links in components.
  expect(styles).not.toMatch(/[{},]a[:{,[]/);
  // Written so where Ant Design makes a style.
  expect(scripts).not.toMatch(/userSelect: ?["'`]none["'`], ?touchAction/);
});

test('the libraries of terminals and desktops are loaded with their own apps alone', async () => {
  const early = new Set([files.start, files.check, files.login, ...Object.values(files.screens)].flat());
  const scripts = (await readdir(path.join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
  for (const word of ['_rfbConnectionState', 'ironerror', 'iron-rdp-']) {
    const found: string[] = [];
    for (const name of scripts) if ((await read(`assets/${name}`)).includes(word)) found.push(`/assets/${name}`);
    expect(found.length).toBeGreaterThan(0);
    for (const file of found) expect(early).not.toContain(file);
  }
});

test('the page finds the entry of the console in its chunk', async () => {
  const [entry = ''] = files.screens['/devices'] ?? [];
  expect((await read(entry)).toString()).toMatch(/export\{[^}]*\bas open\b/);
});

test('the WebAssembly of RDP is a file of its own, compressed like the others', async () => {
  const names = (await readdir(path.join(folder, 'assets'))).filter((name) => name.includes('.wasm'));
  expect(names.map((name) => name.replace(/-[^.]+/, '')).toSorted()).toEqual([
    'iron.wasm',
    'iron.wasm.br',
    'iron.wasm.gz',
  ]);
  const sizes = await Promise.all(names.toSorted().map(async (name) => (await read(`assets/${name}`)).length));
  expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.4);
});

/** Functions of ES2022 and later that older-browsers.ts does not add, and media queries of Chrome 104. */
const TOO_NEW = [
  String.raw`\b(structuredClone|Array\.fromAsync|Object\.groupBy|Promise\.try|RegExp\.escape|Error\.isError)\(`,
  String.raw`\.(findLastIndex|toSpliced|toWellFormed|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`,
  String.raw`\.(getOrInsert|getOrInsertComputed|toBase64|toHex|setFromBase64|setHTML|getHTML)\(`,
  String.raw`\.(keys|values|entries)\(\)\.(map|filter|some|every|find|toArray|flatMap|reduce|take|drop|forEach)\(`,
  String.raw`\((?:width|height) ?[<>]=? ?\d`,
  String.raw`\b(Iterator\.from|Intl\.DurationFormat|Temporal\.)\b`,
].map((source) => new RegExp(source));

test('scripts and styles have nothing that the oldest browsers would need and older-browsers.ts does not add', async () => {
  const names = await readdir(path.join(folder, 'assets'));
  const found: string[] = [];
  for (const name of names.filter((one) => /\.(js|css)$/.test(one))) {
    const text = (await read(`assets/${name}`)).toString();
    const tooNew = name.endsWith('.js')
      ? TOO_NEW
      : [/@media[^{]*([<>]|not \()/, /[{};](?:translate|rotate|scale):/, /[{}]&/];
    for (const pattern of tooNew) if (pattern.test(text)) found.push(`${name}: ${pattern.exec(text)?.[0]}`);
    for (const [, property] of text.matchAll(/[{};]([a-z-]+):[^{};]*\ddvh/g))
      if (!new RegExp(`[{;]${property}:[^{}]*\\dvh[^{}]*;${property}:[^{};]*\\ddvh`).test(text))
        found.push(`${name}: dvh`);
  }
  expect(found).toEqual([]);
});

test('an older browser loads the functions that it lacks before all other scripts', async () => {
  const page = (await read('index.html')).toString();
  const [name = ''] = /assets\/older-browsers-[^"]+\.js/.exec(page) ?? [];
  expect(page.indexOf(name)).toBeLessThan(page.indexOf('type="module"'));
  // Internet Explorer must read as far as the sentence that it is too old.
  expect((await read(name)).toString()).not.toMatch(/=>|`|\.\.\.|\?\.|\?\?|catch \{|class |async /);
});

test('every larger file lies beside its compressed forms', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|css|html)$/.test(name));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const content = await read(name);
    if (content.length < 1024) continue;
    expect(brotliDecompressSync(await read(`${name}.br`)).equals(content)).toBe(true);
    expect(gunzipSync(await read(`${name}.gz`)).equals(content)).toBe(true);
  }
});
