import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDb } from '../db/open-test-db.ts';
import { openTestApp } from '../testing/apps/open-test-app.ts';
import { serveConsole } from './serve-console.ts';

const headScript = "document.title = '通途'";
const page = `<!doctype html><script>${headScript}</script><script type="module" src="/assets/a.js"></script>`;
const script = `console.log('${'x'.repeat(4000)}')`;

/** The API with a built page. */
async function openPage() {
  const webRoot = await mkdtemp(path.join(tmpdir(), 'tongtu-page-'));
  await mkdir(path.join(webRoot, 'assets'));
  for (const [name, text] of [
    ['index.html', page],
    ['assets/a.js', script],
  ] as const) {
    await writeFile(path.join(webRoot, name), text);
    await writeFile(path.join(webRoot, `${name}.br`), brotliCompressSync(text));
    await writeFile(path.join(webRoot, `${name}.gz`), gzipSync(text));
  }
  const t = await openTestDb();
  const { app } = await openTestApp(t.db, async (opened) => await serveConsole(opened, webRoot));
  onTestFinished(async () => await t[Symbol.asyncDispose]());
  return async (url: string, accepted?: string) =>
    await app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
}

test('a file is sent as the build compressed it, in the best encoding that the client accepts', async () => {
  const get = await openPage();
  const br = await get('/assets/a.js', 'gzip, deflate, br, zstd');
  expect(br.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(br.rawPayload).toEqual(brotliCompressSync(script));
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script);
  const gzip = await get('/assets/a.js', 'gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(script);
});

test('a client that accepts no encoding gets the file itself, and caches know why', async () => {
  const get = await openPage();
  for (const accepted of [undefined, 'identity', 'br;q=0, gzip;q=0']) {
    const plain = await get('/assets/a.js', accepted);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(script);
    expect(plain.headers.vary).toMatch(/accept-encoding/i);
  }
});

test('the compressed files have no address of their own', async () => {
  const get = await openPage();
  expect((await get('/assets/a.js.br')).statusCode).toBe(404);
  expect((await get('/assets/a.js%2ebr')).statusCode).toBe(404);
  expect((await get('/index.html.gz')).statusCode).toBe(404);
});

test.each([undefined, 'br'])('the page’s policy allows its own script and no other one (%s)', async (accepted) => {
  const get = await openPage();
  const { headers } = await get('/', accepted);
  const hash = createHash('sha256').update(headScript).digest('base64');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain(`script-src 'sha256-${hash}' 'wasm-unsafe-eval' 'self'`);
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
  expect(headers['cache-control']).toBe('no-cache');
  expect((await get('/assets/a.js', accepted)).headers['content-security-policy']).not.toContain('sha256-');
});

test.each(['/assets/', '/assets', '/assets/b.js', '/assets/%5c..%5cindex.html', '/assets//a.js'])(
  'nothing but a built file is sent (%s)',
  async (url) => {
    const get = await openPage();
    const { statusCode, body } = await get(url);
    expect([400, 404]).toContain(statusCode);
    expect(body).not.toContain(headScript);
  },
);
