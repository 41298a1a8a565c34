import { gunzipSync } from 'node:zlib';
import { AgentBootstrap, type ServerToGateway } from '@tongtu/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDb } from './db/open-test-db.ts';
import { insertDevice } from './testing/device-fixtures.ts';
import { makeServerFiles, testServerConfig } from './testing/apps/server-files.ts';
import { startServer } from './start-server.ts';

const log = pino({ level: 'silent' });

test('the first start creates admin, one region and an announcement, and asks for the password once', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });

  const first = await startServer(config, log);
  const client = await logIn(first.port, 'admin', 'chosen by the operator');
  const token = await first.localAgentToken();
  await first[Symbol.asyncDispose]();
  await using second = await startServer(
    { ...config, chooseAdminPassword: async () => expect.unreachable('asked again') },
    log,
  );

  expect(first.isFirstStart).toBe(true);
  expect(client.status).toBe(200);
  expect(token).toMatch(/^tt_[\w-]{43}$/);
  expect(second.isFirstStart).toBe(false);
  expect(await second.localAgentToken()).toBe(token);
  expect((await logIn(second.port, 'ADMIN', 'chosen by the operator')).status).toBe(200);
});

test('several first starts at once create one installation', async () => {
  await using t = await openTestDb({ migrated: false });
  await using files = await makeServerFiles();
  await using starters = new AsyncDisposableStack();

  const config = testServerConfig(files.dir, { url: t.url });
  const servers = await Promise.all([1, 2, 3].map(async () => starters.use(await startServer(config, log))));

  expect(servers.filter(({ isFirstStart }) => isFirstStart)).toHaveLength(1);
  expect(await t.db.selectFrom('userAccount').select('username').execute()).toEqual([{ username: 'admin' }]);
  expect(await t.db.selectFrom('server').select('suffix').execute()).toEqual([{ suffix: 'localhost' }]);
});

test('a first start whose password choice fails is repeated by the next start', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });
  const failing = { ...config, chooseAdminPassword: async () => await Promise.reject(new Error('disk full')) };

  await expect(startServer(failing, log)).rejects.toThrow('disk full');
  await using server = await startServer(config, log);

  expect(server.isFirstStart).toBe(true);
});

test('the server answers a gateway process until it stops', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const server = await startServer(testServerConfig(files.dir, { url: t.url }), log);
  const sent: ServerToGateway[] = [];
  const gateway = server.connectGateway((message) => sent.push(message));

  gateway.onMessage({ type: 'open', correlation: 7, sessionId: 1, token: 'x' });

  await expect.poll(() => sent).toEqual([{ type: 'open_result', correlation: 7, result: { ok: false, reason: null } }]);
  await server[Symbol.asyncDispose]();
  gateway.onMessage({ type: 'open', correlation: 8, sessionId: 1, token: 'x' });
  expect(sent).toHaveLength(1);
});

test('the operator can reset the first account’s password, which ends its sessions and its lock', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  await using server = await startServer(testServerConfig(files.dir, { url: t.url }), log);
  const before = await logIn(server.port, 'admin', 'chosen by the operator');
  const lockedUntil = new Date(Date.now() + 60_000);
  await t.db.insertInto('failedAttempt').values({ key: 'name:admin', failures: 10, lockedUntil }).execute();
  expect((await logIn(server.port, 'admin', 'chosen by the operator')).status).toBe(429);

  expect(await server.resetAdminPassword('another password')).toBe('admin');

  expect((await logIn(server.port, 'admin', 'another password')).status).toBe(200);
  expect((await logIn(server.port, 'admin', 'chosen by the operator')).status).toBe(401);
  const cookie = cookiesOf(before);
  const status = await fetch(`http://127.0.0.1:${server.port}/api/login_status/`, { headers: { cookie } });
  expect(await status.json()).toMatchObject({ logged_in: false });
});

test('a database that was sealed with other keys is refused and not changed', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });
  await (await startServer(config, log))[Symbol.asyncDispose]();
  const otherKeys = { ...config, secrets: { ...config.secrets, sealingKey: Buffer.alloc(32, 9) } };

  await expect(startServer(otherKeys, log)).rejects.toMatchObject({ code: 'secrets.other' });
  await using again = await startServer(config, log);

  expect(await again.localAgentToken()).toMatch(/^tt_/);
});

test.each([
  ['as a domain', 'agents.example.com', { custom_domain: 'agents.example.com' }, 'mapping.domain-reserved'],
  ['as a prefix', 'agents.localhost', { prefix: 'agents' }, 'mapping.prefix-reserved'],
])('the name that agents connect to cannot be taken %s', async (_, host, address, code) => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });
  await using server = await startServer({ ...config, tunnel: { ...config.tunnel, host } }, log);
  const { id: serverId } = await t.db.selectFrom('server').select('id').executeTakeFirstOrThrow();
  const { id: userId } = await t.db.selectFrom('userAccount').select('id').executeTakeFirstOrThrow();
  const router = await insertDevice(t.db, { userId, serverId });
  const cookie = cookiesOf(await logIn(server.port, 'admin', 'chosen by the operator'));
  const csrf = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? '';

  const reply = await fetch(`http://127.0.0.1:${server.port}/api/user/records/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-csrftoken': csrf },
    body: JSON.stringify({ router, kind: 'http', target: 'http://192.168.1.10', ...address }),
  });

  expect(await reply.json()).toMatchObject({ code });
});

test('the only region follows the configured domain', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });
  await (await startServer(config, log))[Symbol.asyncDispose]();

  await using _moved = await startServer({ ...config, baseDomain: 'example.com' }, log);

  expect(await t.db.selectFrom('server').select('suffix').execute()).toEqual([{ suffix: 'example.com' }]);
});

test('a start on a port that is taken fails with a sentence for the operator', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = testServerConfig(files.dir, { url: t.url });
  await using first = await startServer(config, log);

  const again = startServer({ ...config, listen: { host: '127.0.0.1', port: first.port } }, log);

  await expect(again).rejects.toMatchObject({ name: 'StartError', code: 'listen.port-taken' });
});

test('browsers cache the console’s assets for ever and its page never', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  await using server = await startServer(testServerConfig(files.dir, { url: t.url }), log);
  const origin = `http://127.0.0.1:${server.port}`;

  const page = await fetch(`${origin}/`);
  const asset = await fetch(`${origin}/assets/index-abc.js`);
  const missing = await fetch(`${origin}/assets/missing.js`);

  expect([page.status, page.headers.get('cache-control'), await page.text()]).toEqual([
    200,
    'no-cache',
    '<!doctype html>通途',
  ]);
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(missing.status).toBe(404);
});

test('the calls of a login that are made at once belong to the same browser', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  await using server = await startServer(testServerConfig(files.dir, { url: t.url }), log);
  const site = `http://127.0.0.1:${server.port}`;
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const cookies = cookiesOf(await fetch(`${site}/api/site/config/`));
  expect(cookies).toContainEqual(expect.stringMatching(/^browser=[\w-]{43}$/));

  const csrf = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': csrf };
  const replies = await Promise.all([
    fetch(`${site}/api/verify/captcha/init/?purpose=sms`, { headers }),
    fetch(`${site}/custom/login/passkey_options/`, { method: 'POST', headers }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies.flatMap(cookiesOf)).toEqual([]);
});

test('the API describes itself', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  await using server = await startServer(testServerConfig(files.dir, { url: t.url }), log);

  const reply = await fetch(`http://127.0.0.1:${server.port}/api/openapi.json`);

  expect(await reply.json()).toMatchObject({
    openapi: '3.1.0',
    paths: { '/custom/login/': { post: { summary: '登录' } } },
  });
});

test('a device downloads the agent and a script that names this server as the device reached it', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  const config = { ...testServerConfig(files.dir, { url: t.url }), publicUrl: 'http://localhost:8080' };
  await using server = await startServer(config, log);
  const origin = `http://127.0.0.1:${server.port}`;

  const agent = await fetch(`${origin}/agent/tongtu-agent.mjs`);
  const again = await fetch(`${origin}/agent/tongtu-agent.mjs`, {
    headers: { 'if-none-match': agent.headers.get('etag')! },
  });
  const script = await (await fetch(`${origin}/agent/install.sh`)).text();
  const proxied = await fetch(`${origin}/agent/install.sh`, { headers: { 'x-forwarded-host': 'localhost:8080' } });
  const bootstrap = AgentBootstrap.parse(await (await fetch(`${origin}/api/agent/bootstrap/`)).json());

  expect([agent.status, again.status, await agent.text()]).toEqual([200, 304, 'console.log("agent");']);
  const packed = await fetch(`${origin}/agent/tongtu-agent.mjs.gz`);
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(gunzipSync(bytes).toString()).toBe('console.log("agent");');
  const rest = async (etag: string) => {
    const headers = { range: 'bytes=20-', 'if-range': etag };
    const reply = await fetch(`${origin}/agent/tongtu-agent.mjs.gz`, { headers });
    return { status: reply.status, body: Buffer.from(await reply.arrayBuffer()) };
  };
  expect(await rest(packed.headers.get('etag')!)).toEqual({ status: 206, body: bytes.subarray(20) });
  expect(await rest('"another"')).toEqual({ status: 200, body: bytes });
  expect(script).toBe(`SERVER='${origin}' SHA=${bootstrap.agent_sha256}\n`);
  expect(await proxied.text()).toContain("SERVER='http://localhost:8080'");
  expect(bootstrap).toMatchObject({
    tunnel_host: '127.0.0.1',
    tunnel_port: 7000,
    relay_pin: 'pin',
    agent_version: '1.2.3',
  });
  expect(bootstrap.agent_sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('a host header that a shell could misread never reaches the install script', async () => {
  await using t = await openTestDb();
  await using files = await makeServerFiles();
  await using server = await startServer(testServerConfig(files.dir, { url: t.url }), log);

  const headers = { 'x-forwarded-host': "a'$(reboot)" };
  const script = await fetch(`http://127.0.0.1:${server.port}/agent/install.sh`, { headers });

  expect([script.status, await script.text()]).toEqual([400, expect.not.stringContaining('SERVER=')]);
});

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Logs in as a browser does: the first visit sets the CSRF token that the login must repeat. */
async function logIn(port: number, account: string, password: string): Promise<Response> {
  const origin = `http://127.0.0.1:${port}`;
  const [cookie = ''] = (await fetch(`${origin}/api/login_status/`)).headers.getSetCookie();
  const csrf = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? '';
  return await fetch(`${origin}/custom/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `csrftoken=${csrf}`, 'x-csrftoken': csrf },
    body: JSON.stringify({ account, password }),
  });
}
