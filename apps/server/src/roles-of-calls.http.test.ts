import type { HTTPMethods } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDb } from './db/open-test-db.ts';
import { insertAccount } from './testing/apps/open-account-app.ts';
import { openServerApp } from './testing/apps/open-server-app.ts';
import type { TestBrowser } from './testing/apps/open-test-app.ts';

type Operation = { security?: Record<string, unknown>[]; description?: string };
type Document = { paths: Record<string, Record<string, Operation>> };
type Flags = Partial<Record<'isStaff' | 'isPromoter' | 'isSuperuser', boolean>>;

/** Every kind of caller, with the flags of its account. */
const callers = {
  anonymous: undefined,
  user: {},
  promoter: { isPromoter: true },
  staff: { isStaff: true },
  superuser: { isSuperuser: true },
} satisfies Record<string, Flags | undefined>;
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[]; // the keys of the table

/** Who may make the calls that not every account may make. A new one must be added here. */
const forPromoters = [
  'GET /api/user/product-key-places/',
  'GET /api/user/product-keys-for-place/',
  'GET /api/user/product-keys-for-place/export/',
  'GET /api/user/product/bulkorders/{id}',
  'POST /api/mark_product_keys_as_status/',
  'POST /api/user/product/bulkorders/',
];
const forSuperusers = [
  'GET /api/manage/first_steps/',
  'PATCH /api/manage/first_steps/',
  'PATCH /api/manage/servers/{id}/',
  'PATCH /api/manage/users/{id}/',
];
const isForStaff = (key: string) => /^\w+ \/api\/(?:manage\/|announcement\/manage\/)/.test(key);

// Only some purposes of a code need a login.
const byPurpose = 'POST /api/verify/sms/send/';

function allowedTo(key: string, needsLogin: boolean): Caller[] {
  if (forSuperusers.includes(key)) return ['superuser'];
  if (forPromoters.includes(key)) return ['promoter', 'staff', 'superuser'];
  if (isForStaff(key)) return ['staff', 'superuser'];
  return needsLogin && key !== byPurpose ? names.filter((name) => name !== 'anonymous') : names;
}

test(
  'each call of the API document is refused to exactly the callers who may not make it',
  { timeout: 120_000 },
  async () => {
    await using t = await openTestDb();
    await using server = await openServerApp(t);
    const browsers = {} as Record<Caller, TestBrowser>; // filled below
    for (const name of names) {
      const flags: Flags | undefined = callers[name];
      browsers[name] = flags === undefined ? server.browser() : await openAs(name, flags);
    }
    const { paths } = (await browsers.anonymous.call('GET', '/api/openapi.json')).body as Document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
    );

    const found: Record<string, Record<string, string>> = {};
    const expected: Record<string, Record<string, string>> = {};
    for (const { key, operation } of operations) {
      await t.db.deleteFrom('rateCount').execute();
      const needsLogin = operation.security?.some((one) => 'session' in one) ?? false;
      const allowed = allowedTo(key, needsLogin);
      found[key] = {};
      // A stream of events has no end, so only its refusal can be awaited.
      const tried = key === 'GET /api/user/events/' ? names.slice(0, 1) : names;
      expected[key] = Object.fromEntries(tried.map((name) => [name, allowed.includes(name) ? 'may' : refusalOf(name)]));
      for (const name of tried) found[key][name] = await tryCall(browsers[name], key);
    }

    expect(Object.keys(found).length).toBeGreaterThan(150);
    expect(found).toEqual(expected);

    async function openAs(username: string, flags: Flags): Promise<TestBrowser> {
      const id = await insertAccount(t.db, { username });
      if (Object.keys(flags).length > 0)
        await t.db.updateTable('userAccount').set(flags).where('id', '=', id).execute();
      return await server.browserOf(username);
    }
  },
);

function refusalOf(name: Caller): string {
  return name === 'anonymous' ? 'session.required' : 'session.forbidden';
}

/** The refusal for lack of a role, or `may`. The body is empty and the id nobody's, so that a call changes nothing. */
async function tryCall(browser: TestBrowser, key: string): Promise<string> {
  const [method, path] = key.split(' ') as [HTTPMethods, string]; // "METHOD /path/"
  const url = path.replaceAll(/\{\w+\}/g, '999999');
  const { status, body } = await browser.call(method, url, method === 'GET' ? undefined : {});
  const code = (body as { code?: string } | undefined)?.code ?? '';
  if (status >= 500 || code === 'session.csrf' || code === 'request.too-many') return `${status} ${code}`;
  return code === 'session.required' || code === 'session.forbidden' ? code : 'may';
}
