import diagnostics from 'node:diagnostics_channel';
import { request } from 'node:http';
import { must } from '@tongtu/base';
import { callLimits, endpoints, errorCatalogue, type CallLimit, type NoLimit, type Problem } from '@tongtu/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db } from './db/driver.ts';
import { openTestDb } from './db/open-test-db.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { insertAccount, testKeys, testPassword } from './testing/apps/open-account-app.ts';
import { makeServerFiles, testServerConfig } from './testing/apps/server-files.ts';

type Route = { method: string; url: string; limit: CallLimit | undefined };
type LimitedRoute = Route & { limit: CallLimit };

/** A client: its address, and its cookies if it is logged in. */
type Caller = { ip: string; cookie?: string; csrf?: string };
/** `one` and `same` count as the same client, `another` does not. */
type Callers = { countedAs: string; one: Caller; same: Caller; another: Caller };

const rules: Record<string, CallLimit | NoLimit> = callLimits;
const log = pino({ level: 'silent' });
const windowSeconds = 60;
// Only reads: these change nothing. Event streams have their own limit, and relay control needs the relays' secret.
const readOnly = [
  ...[
    'GET /',
    'GET /agent/install.ps1',
    'GET /agent/install.sh',
    'GET /agent/runtime/{platform}',
    'GET /agent/runtime/{platform}/node.gz',
    'GET /agent/tongtu-agent.mjs',
    'GET /agent/tongtu-agent.mjs.gz',
    'GET /api/openapi.json',
    'GET /api/site/images/{sha256}',
    'GET /api/user/events/',
  ],
  ...['GET /assets/*', 'GET /index.html', 'GET /internal/relay-control/', 'GET /sso/events'],
];
const isReading = ({ method }: Pick<Route, 'method'>) => method === 'GET' || method === 'HEAD';

test('every call of a started server that changes something has a limit, or a reason for none', async () => {
  await using t = await openTestDb();
  await using two = await startTwo(t.url);
  const changing = two.routes.filter((route) => !isReading(route));
  const limited = Object.entries(rules).filter(([, rule]) => 'per' in rule);
  const limitOf = new Map(two.routes.map((route) => [keyOf(route), route.limit]));

  const withoutLimit = changing.filter(({ limit }) => limit === undefined).map(keyOf);
  expect(changing.length).toBeGreaterThan(50);
  expect(withoutLimit.toSorted()).toEqual(
    Object.keys(rules)
      .filter((key) => !key.startsWith('GET ') && !('per' in must(rules[key], 'a rule')))
      .toSorted(),
  );
  // A GET that is not a call of the contract either has a limit as well or only reads.
  const otherReads = two.routes.filter((route) => route.method === 'GET' && !(keyOf(route) in endpoints)).map(keyOf);
  expect(otherReads.filter((key) => !(key in rules)).toSorted()).toEqual(readOnly);
  expect(otherReads).toContain('GET /custom/logout');
  expect(limited.map(([key]) => [key, limitOf.get(key)])).toEqual(limited);
});

test(
  'every call with a limit is counted for its client, and refused by another process beyond it, before its body',
  { timeout: 240_000 },
  async () => {
    await using t = await openTestDb();
    await using two = await startTwo(t.url);
    const accounts = await logTwoIn(t.db, two.servers[0].port);
    await t.db.deleteFrom('rateCount').execute(); // of the logins
    const limited = limitedRoutes(two);
    expect(limited.length).toBeGreaterThan(50);

    const found = [];
    for (const route of limited) {
      const { one, same } = callersOf(route, accounts);
      const { first, counted } = await countOne(t.db, two.servers[0], { route, caller: one });
      await setHits(t.db, route, route.limit.maxPerMinute);
      const other = two.servers[1];
      const beyond = isReading(route)
        ? (await call(other, route, same)).status
        : await statusBeforeBody(other, route, same);
      found.push({ route: keyOf(route), first, counted, beyond });
    }

    expect(found).toEqual(
      limited.map((route) => ({
        route: keyOf(route),
        first: 'answered',
        counted: [{ key: `${nameOf(route)} ${callersOf(route, accounts).countedAs}`, hits: 1, isOneMinute: true }],
        beyond: 429,
      })),
    );
  },
);

// The routes of one kind differ in nothing that the limit looks at, so one of each kind is called to its limit.
test('a limit counts a client’s calls at all processes together, and refuses nobody else’s', async () => {
  await using t = await openTestDb();
  await using two = await startTwo(t.url);
  const accounts = await logTwoIn(t.db, two.servers[0].port);
  const kinds = Map.groupBy(
    limitedRoutes(two),
    ({ method, limit, url }) => `${method} ${limit.per} ${url.split('/')[1]}`,
  );
  const oneOfEach = [...kinds.values()].map(([route]) => must(route, 'a route'));
  expect(oneOfEach.length).toBeGreaterThan(8);

  const found = [];
  for (const route of oneOfEach)
    found.push({ route: keyOf(route), ...(await useUp(t.db, two.servers, route, callersOf(route, accounts))) });

  expect(found).toEqual(
    oneOfEach.map((route) => ({
      route: keyOf(route),
      crossSite: { status: 403, code: 'request.cross-site' },
      first: 'answered',
      counted: [{ key: `${nameOf(route)} ${callersOf(route, accounts).countedAs}`, hits: 1, isOneMinute: true }],
      last: 'answered',
      refused: [refused, refused],
      another: 'answered',
      ...(route.method === 'GET' && { head: 429 }),
      ...(!isReading(route) && { beforeItsBody: 429 }),
    })),
  );
});

const refused = {
  status: 429,
  code: 'request.too-many',
  detail: errorCatalogue['request.too-many'].zh,
  hasRetryAfter: true,
};

function limitedRoutes({ routes }: Two): LimitedRoute[] {
  return routes.filter((route): route is LimitedRoute => route.limit !== undefined && !isHead(route));
}

function callersOf({ limit }: LimitedRoute, accounts: Callers): Callers {
  return limit.per === 'account' ? accounts : networks;
}

type Counted = { key: string; hits: number; isOneMinute: boolean };

/** Makes a client's first call, and reads how it was counted. */
async function countOne(
  db: Db,
  server: RunningServer,
  { route, caller }: { route: LimitedRoute; caller: Caller },
): Promise<{ first: unknown; counted: Counted[] }> {
  const before = await databaseMs(db);
  const first = await call(server, route, caller);
  const rows = await listCounts(db, route);
  const after = await databaseMs(db);
  const counted = rows.map(({ key, hits, endsAt }) => {
    const beganMs = endsAt.getTime() - windowSeconds * 1000;
    return { key, hits, isOneMinute: beganMs >= before && beganMs <= after };
  });
  return { first: verdictOf(first), counted };
}

/** Makes a client's calls up to the limit and beyond, at both servers in turn. */
async function useUp(
  db: Db,
  [one, other]: Two['servers'],
  route: LimitedRoute,
  callers: Callers,
): Promise<Record<string, unknown>> {
  await db.deleteFrom('rateCount').execute();
  const crossSite = await call(one, route, { ...callers.one, isCrossSite: true });
  const begun = await countOne(db, one, { route, caller: callers.one });
  await setHits(db, route, route.limit.maxPerMinute - 1);
  const last = await call(other, route, callers.same);
  const refusals = [await call(one, route, callers.one), await call(other, route, callers.same)];
  return {
    crossSite: { status: crossSite.status, code: crossSite.problem?.code },
    ...begun,
    last: verdictOf(last),
    refused: refusals.map(refusalOf),
    another: verdictOf(await call(one, route, callers.another)),
    ...(route.method === 'GET' && { head: (await call(other, { ...route, method: 'HEAD' }, callers.one)).status }),
    ...(!isReading(route) && { beforeItsBody: await statusBeforeBody(other, route, callers.one) }),
  };
}

type Answer = { status: number; retryAfter: string | null; problem: Problem | undefined };

function verdictOf({ status }: Answer): unknown {
  return status !== 429 && status < 500 ? 'answered' : status;
}

function refusalOf({ status, retryAfter, problem }: Answer): unknown {
  const seconds = Number(retryAfter);
  return {
    status,
    code: problem?.code,
    detail: problem?.detail,
    hasRetryAfter: retryAfter !== null && seconds > 0 && seconds <= windowSeconds,
  };
}

async function call(
  server: RunningServer,
  { method, url }: Pick<Route, 'method' | 'url'>,
  { isCrossSite = false, ...caller }: Caller & { isCrossSite?: boolean },
): Promise<Answer> {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  const crossSiteHeaders = { origin: 'http://nas.localhost', 'sec-fetch-site': 'same-site' };
  const reply = await fetch(`${originOf(server)}${pathOf(url)}`, {
    method,
    redirect: 'manual',
    headers: {
      ...headersOf(caller),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(isCrossSite && crossSiteHeaders),
    },
    ...(hasBody && { body: '{}' }),
  });
  const text = await reply.text();
  const isProblem = reply.headers.get('content-type')?.startsWith('application/problem+json') === true && text !== '';
  return {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    problem: isProblem ? (JSON.parse(text) as Problem) : undefined, // compared, field by field
  };
}

/** The status of a call whose headers announce a body that is not sent. */
async function statusBeforeBody(server: RunningServer, { method, url }: Route, caller: Caller): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { ...headersOf(caller), 'content-type': 'application/json', 'content-length': '1000' };
  const half = request(`${originOf(server)}${pathOf(url)}`, { method, headers });
  half.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
  half.flushHeaders();
  const status = await promise;
  half.destroy();
  return status;
}

function headersOf({ ip, cookie, csrf }: Caller): Record<string, string> {
  return {
    'x-forwarded-for': ip,
    'sec-fetch-site': 'same-origin', // as a browser sends; calls without a CSRF header need it
    ...(cookie !== undefined && { cookie }),
    ...(csrf !== undefined && { 'x-csrftoken': csrf }),
  };
}

function originOf({ port }: RunningServer): string {
  return `http://127.0.0.1:${port}`;
}

/** With an id that does not exist, so the call passes all checks before the look-up. */
function pathOf(url: string): string {
  return url.replaceAll(/:\w+/g, '999999');
}

function nameOf({ method, url }: Route): string {
  return `${method} ${url}`;
}

/** The route's key in the contract's table. */
function keyOf({ method, url }: Route): string {
  return `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`;
}

function isHead({ method }: Route): boolean {
  return method === 'HEAD';
}

const networks: Callers = {
  countedAs: '2001:db8:1:2::',
  one: { ip: '2001:db8:1:2::1' },
  same: { ip: '2001:db8:1:2:ffff::2' },
  another: { ip: '2001:db8:1:3::1' },
};

/** One account in two networks, and another account in the first network. */
async function logTwoIn(db: Db, port: number): Promise<Callers> {
  // A user without the role of a call is refused before the call is counted.
  const id = await insertAccount(db, { username: 'li', isSuperuser: true });
  await insertAccount(db, { username: 'wang', isSuperuser: true });
  const [li, wang] = [await logIn(port, 'li'), await logIn(port, 'wang')];
  return {
    countedAs: String(id),
    one: { ip: '203.0.113.1', ...li },
    same: { ip: '198.51.100.9', ...li },
    another: { ip: '203.0.113.1', ...wang },
  };
}

async function logIn(port: number, account: string): Promise<Pick<Required<Caller>, 'cookie' | 'csrf'>> {
  const origin = `http://127.0.0.1:${port}`;
  const visited = cookiesOf(await fetch(`${origin}/api/login_status/`));
  const csrf = must(visited.get('csrftoken'), 'a token');
  const reply = await fetch(`${origin}/custom/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `csrftoken=${csrf}`, 'x-csrftoken': csrf },
    body: JSON.stringify({ account, password: testPassword }),
  });
  const cookies = cookiesOf(reply);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, csrf: must(cookies.get('csrftoken'), 'a token of the session') };
}

function cookiesOf({ headers }: Response): Map<string, string> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return [name, value] as const;
    }),
  );
}

async function listCounts(db: Db, route: Route): Promise<{ key: string; hits: number; endsAt: Date }[]> {
  return await db
    .selectFrom('rateCount')
    .select(['key', 'hits', 'endsAt'])
    .where(sql<boolean>`starts_with(key, ${`${nameOf(route)} `})`)
    .execute();
}

async function setHits(db: Db, route: Route, hits: number): Promise<void> {
  await db
    .updateTable('rateCount')
    .set({ hits })
    .where(sql<boolean>`starts_with(key, ${`${nameOf(route)} `})`)
    .execute();
}

/** The database's time in whole milliseconds, like the times read from a row. */
async function databaseMs(db: Db): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return must(rows[0], 'the time').at.getTime();
}

type Two = AsyncDisposable & { servers: readonly [RunningServer, RunningServer]; routes: Route[] };

/** Two processes of one installation with every sign-in method, and the routes that both serve. */
async function startTwo(url: string): Promise<Two> {
  await using parts = new AsyncDisposableStack();
  const { dir } = parts.use(await makeServerFiles());
  const base = { ...testServerConfig(dir, { url }), billing: 'on' as const };
  const secrets = { ...base.secrets, sealingKey: testKeys.sealingKey };
  const config = { ...base, secrets, wechat: { type: 'fake' } } as const;
  const lists: Route[][] = [];
  const start = async (): Promise<RunningServer> => {
    const routes: Route[] = [];
    lists.push(routes);
    const listen = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }; // as Fastify documents its channel
      fastify.addHook('onRoute', function (this: FastifyInstance, route: RouteOptions) {
        // The fake WeChat is a server of its own.
        if (this.hasDecorator('countCall')) routes.push(...routesOf(route));
      });
    };
    diagnostics.subscribe('fastify.initialization', listen);
    const server = parts.use(await startServer(config, log));
    diagnostics.unsubscribe('fastify.initialization', listen);
    return server;
  };
  const servers = [await start(), await start()] as const;
  const [routes = [], others] = lists;
  expect(others).toEqual(routes);
  const running = parts.move();
  return { servers, routes, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

function routesOf({ method, url, config }: RouteOptions): Route[] {
  return [method].flat().map((name) => ({ method: name, url, limit: config?.limit }));
}
