import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../db/open-test-db.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../testing/apps/open-test-app.ts';
import { insertUser } from '../testing/device-fixtures.ts';
import { mount } from './mount.ts';

let t: TestDb;
let opened: TestApp;
let browser: TestBrowser;
beforeAll(async () => {
  t = await openTestDb();
  opened = await openTestApp(t.db, (app) => {
    mount(app, 'POST /custom/login/', { login: 'optional' }, async () => ({ id: 0, second_factor: null }));
  });
  browser = await opened.browserOf(await insertUser(t.db, 'li'));
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const json = { 'content-type': 'application/json' };
const send = async (body: string) => await browser.call('POST', '/custom/login/', body, json);
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

describe('a body is refused before it is parsed', () => {
  test.each([
    ['60 000 unknown keys', `{${keys(60_000)}}`],
    ['keys after a text with brackets and escaped quotes', `{"account":"\\"[{\\\\",${keys(60_000)}}`],
    ['60 000 empty objects', `[${Array(60_000).fill('{}').join(',')}]`],
    ['a nesting of 21 levels', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['half a million levels', '['.repeat(500_000)],
  ])('%s', async (_what, body) => {
    expect(await send(body)).toMatchObject({ status: 413, body: { code: 'request.too-large' } });
  });
});

test('of thousands of unknown fields, the answer names fifty', async () => {
  const { status, body } = await send(`{"account":"a","password":"b",${keys(9_000)}}`);
  expect(status).toBe(422);
  expect(Object.keys((body as { errors: object }).errors)).toHaveLength(50);
});

test('commas and brackets in a text do not count', async () => {
  const password = '[{,"\\'.repeat(40);
  expect(await send(JSON.stringify({ account: 'a', password }))).toMatchObject({ status: 200 });
  const account = '[{,"\\'.repeat(100_000);
  expect(await send(JSON.stringify({ account, password }))).toMatchObject({ status: 422 });
});
