import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { totalsReporter } from './run-vitest.ts';
import { failuresText, Totals } from './totals.ts';

const files = {
  'vitest.config.js': `export default { test: { globals: true, include: ['*.test.js'] } };`,
  'again.test.js': `
    let tries = 0;
    test('holds at the second try', { retry: 1 }, () => { if (++tries === 1) throw new Error('too early'); });
    test('breaks at both', { retry: 1 }, () => { throw new Error('never'); });`,
  'fails.test.js': `
    test('holds', () => {});
    test.skip('is left out', () => {});
    describe('a group', () => test('breaks', () => expect({ a: 1 }).toEqual({ a: 2 })));
    test('says why', () => { throw new Error('outside', { cause: new Error('inside') }); });`,
  'hooks.test.js': `
    afterAll(() => { throw new Error('not cleared away'); });
    describe('unprepared', () => { beforeAll(() => { throw new Error('not ready'); }); test('never', () => {}); });`,
  'lost.test.js': `import './not-there.js';`,
  'unreadable.test.js': `test('never', () => { const = 1; });`,
  'unhandled.test.js': `
    test('leaves something behind', async () => {
      void Promise.reject(new Error('nobody waits for this'));
      await new Promise((resolve) => setImmediate(resolve));
    });`,
};

/** A run of vitest on these files, in colours; what it prints itself is left out. */
async function run(): Promise<Totals> {
  const folder = await mkdtemp(path.join(tmpdir(), 'totals-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const totalsFile = path.join(folder, 'totals.json');
  const args = [path.resolve('node_modules/vitest/vitest.mjs'), 'run', '--reporter=default'];
  const { NO_COLOR: _, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, FORCE_COLOR: '1' } };
  await new Promise((resolve) => {
    execFile(process.execPath, [...args, ...totalsReporter(totalsFile)], options, resolve);
  });
  return Totals.parse(JSON.parse(await readFile(totalsFile, 'utf8')));
}

test('each failure of a run is named with its message, without colours', async () => {
  const totals = await run();

  expect(totals).toMatchObject({ passed: 3, skipped: 2 });
  const secondTry = /^again\.test\.js › holds at the second try\nError: too early\n/;
  expect(totals.secondTries).toEqual([expect.stringMatching(secondTry)]);
  const text = failuresText(totals.failures);
  expect(text.match(/^✗ .*/gm)?.toSorted()).toEqual([
    '✗ again.test.js › breaks at both',
    '✗ fails.test.js › a group > breaks',
    '✗ fails.test.js › says why',
    '✗ hooks.test.js',
    '✗ hooks.test.js › unprepared',
    '✗ lost.test.js',
    '✗ unhandled.test.js › Unhandled Rejection while this ran: leaves something behind',
    '✗ unreadable.test.js',
  ]);
  const said = ['not cleared away', 'not ready', 'not-there.js', 'Unexpected token', 'nobody waits for this'];
  for (const words of [...said, '"a": 2,', 'Error: outside', 'Caused by: Error: inside']) expect(text).toContain(words);
  expect(text).toMatch(/fails\.test\.js:4:\d+/);
  expect(text).not.toContain('node_modules');
  expect(text).not.toContain('\u001B');
});
