import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { appCookieNames, CloudApp, CloudAppOpened, CloudAppSession, pageOf } from '@tongtu/contract';
import { must } from '@tongtu/base';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { saveLogOnFailure } from './support/artefacts.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { findDescendants, findGatewayPid, findServerPid } from './support/product/processes.ts';
import { adminPassword, type Product, startProduct } from './support/product/product.ts';
import { type PortService, startTcpService } from './support/services/port-services.ts';
import { waitFor } from './support/wait-for.ts';

/** In a variable that only the main process may know. */
const SECRET = 'secret-of-the-environment';

let product: Product;
let service: PortService;
let owner: ApiClient;
let deviceId: number;

beforeAll(async () => {
  const echo = startTcpService((socket) => {
    socket.write('login: ');
    socket.pipe(socket);
  });
  [product, service] = await Promise.all([
    startProduct({ env: { RELAY_PROCESSES: '2', SMTP_PASSWORD_OF_TEST: SECRET } }),
    echo,
  ]);
  owner = new ApiClient(product);
  await owner.logIn();
  deviceId = (await owner.waitForDevice('both relays have it', ({ relays }) => relays.connected === 2)).id;
});

afterAll(async () => {
  await Promise.all([service, product].map((part) => part?.[Symbol.asyncDispose]()));
});

beforeEach(({ task }) => saveLogOnFailure(`cloud-apps-${task.name.slice(0, 30)}`, product.child));

async function createApp(port = service.port): Promise<CloudApp> {
  const body = { router: deviceId, kind: 'telnet', name: '交换机', host: '127.0.0.1', port };
  const reply = await owner.call('POST', '/api/user/cloud_apps/?format=json', body);
  expect(reply.status, reply.text).toBe(201);
  return CloudApp.parse(reply.json);
}

type Terminal = { socket: WebSocket; session: CloudAppOpened; output: () => string; closed: Promise<unknown> };

/** Opens a session as the console does, and its terminal. */
async function openTerminal(app: CloudApp, client = owner): Promise<Terminal> {
  const reply = await client.call('POST', `/api/user/cloud_apps/${app.id}/sessions/`);
  expect(reply.status, reply.text).toBe(201);
  const session = CloudAppOpened.parse(reply.json);
  const cookie = must(
    reply.headers['set-cookie']?.find((each) => each.startsWith(`${appCookieNames.http}=`)),
    'a cookie',
  );
  expect(cookie).toMatch(new RegExp(`HttpOnly; SameSite=Strict|Path=${session.path}`));
  const socket = new WebSocket(`ws://localhost:${product.ports.http}${session.path}terminal`, {
    headers: { cookie: must(cookie.split(';')[0], 'its value'), origin: `http://localhost:${product.ports.http}` },
  });
  let output = '';
  socket.on('message', (data) => (output += String(data as Buffer)));
  const closed = once(socket, 'close');
  closed.catch(() => {});
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'start', columns: 80, rows: 24 }));
  return { socket, session, output: () => output, closed };
}

async function say({ socket, output }: Terminal, text: string): Promise<void> {
  await waitFor('the target is connected', 15_000, () => Promise.resolve(output().includes('"connected"')));
  socket.send(Buffer.from(text));
  await waitFor(`the target echoes ${text}`, 15_000, () => Promise.resolve(output().includes(text)));
}

async function sessions(): Promise<CloudAppSession[]> {
  const { json } = await owner.call('GET', '/api/user/cloud_app_sessions/?limit=100&offset=0');
  return pageOf(CloudAppSession).parse(json).results;
}

test('a terminal in the browser reaches a target behind the device, and its session is on record', async () => {
  const terminal = await openTerminal(await createApp());
  await say(terminal, 'show version');
  expect(terminal.output()).toContain('login: ');
  const { id } = terminal.session;
  expect((await sessions()).find((each) => each.id === id)).toMatchObject({ kind: 'telnet', ended_at: null });
  await owner.call('DELETE', `/api/user/cloud_app_sessions/${id}/`);
  await terminal.closed;
  expect(terminal.output()).toContain('ended-by-user');
  const [ended] = await waitFor('the bytes are on record', 15_000, async () => {
    const found = (await sessions()).filter((each) => each.id === id && each.bytes_out > 0);
    return found.length > 0 && found;
  });
  expect(ended).toMatchObject({ end_reason: 'ended-by-user', app_name: '交换机' });
});

test('a target that is not there is reported in words, not by silence', async () => {
  const stopped = await startTcpService(() => {});
  await stopped[Symbol.asyncDispose]();
  const terminal = await openTerminal(await createApp(stopped.port));
  await waitFor('the failure', 15_000, () => Promise.resolve(terminal.output().includes('"refused"')));
  terminal.socket.terminate();
});

test.each([
  ['the app is deleted', async (app: CloudApp) => await owner.call('DELETE', `/api/user/cloud_apps/${app.id}/`)],
  [
    'the app is switched off',
    async (app: CloudApp) => await owner.call('PATCH', `/api/user/cloud_apps/${app.id}/`, { enabled: false }),
  ],
])('an open terminal is cut when %s', async (_what, end) => {
  const app = await createApp();
  const terminal = await openTerminal(app);
  await say(terminal, 'before');
  expect((await end(app)).status).toBe(200);
  await terminal.closed;
  expect(terminal.output()).toMatch(/"failed","reason":"(right-ended|changed)"/);
});

test('relays, gateway and database do not get the passwords and keys of the environment', async () => {
  const terminal = await openTerminal(await createApp());
  const server = await findServerPid(product.child.pid);
  const environmentOf = async (pid: number) => await readFile(`/proc/${pid}/environ`, 'utf8');
  expect(await environmentOf(server)).toContain(SECRET);
  const children = await findDescendants(server);
  const environments = await Promise.all(children.map(async ({ pid }) => await environmentOf(pid)));

  for (const program of [/relay-process\.js 1/, /relay-process\.js 2/, /gateway-process\.js/, /postgres/])
    expect(children.map(({ commandLine }) => commandLine)).toContainEqual(expect.stringMatching(program));
  for (const environment of environments) {
    expect(environment).not.toContain(SECRET);
    expect(environment).not.toContain(adminPassword);
  }
  terminal.socket.terminate();
});

test('a gateway that was killed is started again for the next request', async () => {
  const app = await createApp();
  const terminal = await openTerminal(app);
  await say(terminal, 'before');
  const killed = must(await findGatewayPid(product.child.pid), 'a gateway process');
  process.kill(killed, 'SIGKILL');
  await terminal.closed;
  const next = await waitFor(
    'another terminal',
    15_000,
    async () => await openTerminal(app).catch(() => false as const),
  );
  await say(next, 'after');
  expect(await findGatewayPid(product.child.pid)).not.toBe(killed);
  next.socket.terminate();
});

test('a logout cuts the terminals that the browser had opened', async () => {
  const app = await createApp();
  const other = new ApiClient(product);
  await other.logIn();
  const terminal = await openTerminal(app, other);
  await say(terminal, 'before');
  await other.call('GET', '/custom/logout');
  await terminal.closed;
  expect(terminal.output()).toContain('right-ended');
});
