import { createHash } from 'node:crypto';
import { chmod, chown, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Profile } from '@tongtu/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { ChildGroup } from './support/product/child-group.ts';
import { request } from './support/clients/http-request.ts';
import { freshFolder, startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const NOBODY = 65_534;
const BAD_TOKEN_EXIT = 3;

let product: Product;
let client: ApiClient;
let profile: Profile;

beforeAll(async () => {
  product = await startProduct({ args: ['--no-local-agent'] });
  client = new ApiClient(product);
  profile = await client.logIn();
});

afterAll(() => product?.[Symbol.asyncDispose]());

beforeEach(() => saveLogOnFailure('install', product.child));

/**
 * Pastes a command into the shell of a new user. Never as root: there the script would install a system service. It
 * uses the machine's Node.js, not the one in this repository.
 */
async function pasteLine(line: string): Promise<{ child: ChildGroup; home: string }> {
  const home = await freshFolder('home');
  const searchPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const env = { HOME: home, PATH: searchPath.join(path.delimiter) };
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(home, NOBODY, NOBODY);
  await chmod(home, 0o700);
  const user = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'];
  const child = isRoot
    ? new ChildGroup('setpriv', [...user, 'sh', '-c', line], { cwd: home, env })
    : new ChildGroup('sh', ['-c', line], { cwd: home, env });
  return { child, home };
}

function installLine(options: string, variables = ''): string {
  return `curl -fsSL ${product.consoleUrl}/agent/install.sh | ${variables} sh -s -- ${options}`;
}

test('one line downloads the agent of this server, enrols the device and stays in the foreground', async () => {
  const { child, home } = await pasteLine(
    installLine('--name 客厅 --dir $HOME/tongtu', `TONGTU_TOKEN=${profile.token}`),
  );
  saveLogOnFailure('install-script', child);
  const device = await client.waitForDevice('the installed device', ({ name, online }) => name === '客厅' && online);
  // Only then is the new device's id in its state folder: the server lists a device before the device knows.
  await waitFor('the agent says that it is online', 30_000, () => child.output.includes('已上线'));

  expect(child.exit).toBeUndefined();
  const bytes = await readFile(path.join(home, 'tongtu/tongtu-agent.mjs'));
  const bootstrap = (await client.call('GET', '/api/agent/bootstrap/')).json;
  expect(bootstrap).toMatchObject({ agent_sha256: createHash('sha256').update(bytes).digest('hex') });
  const state = path.join(home, 'tongtu/state');
  expect((await stat(state)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(state, 'agent.json'))).mode & 0o777).toBe(0o600);

  await child[Symbol.asyncDispose]();
  await client.waitForDevice('it is offline once stopped', ({ id, online }) => id === device.id && !online);

  // The command that the script prints for later runs: without a token, for the same device.
  const again = await pasteLine(`exec node ${home}/tongtu/tongtu-agent.mjs --state ${state}`);
  saveLogOnFailure('installed-agent', again.child);
  await client.waitForDevice('the same device is back', ({ id, online }) => id === device.id && online);
  expect(await client.devices()).toHaveLength(1);
  await again.child[Symbol.asyncDispose]();
});

test('a wrong token ends with a code of its own and says what to do', async () => {
  const { child } = await pasteLine(installLine('--token tt_wrong --dir $HOME/tongtu'));
  saveLogOnFailure('install-wrong-token', child);
  expect(await child.exited).toEqual({ code: BAD_TOKEN_EXIT, signal: null });
  expect(child.output).toContain('账号令牌或接入密钥无效');
  expect(child.output).not.toMatch(/\bat .*:\d+:\d+/);
});

test('without a token a link is shown, and its confirmation adds the device to that account', async () => {
  const { child } = await pasteLine(installLine('--name 免令牌 --dir $HOME/tongtu'));
  saveLogOnFailure('install-link', child);
  const link = /\/#\/devices\?bind=([\w-]{22})\s/;
  await waitFor('the link is shown', 60_000, () => link.test(child.output));
  const code = link.exec(child.output)?.[1] ?? '';
  expect((await client.call('GET', `/api/user/binding/?code=${code}`)).json).toMatchObject({ name: '免令牌' });
  const { token_id, sign } = (await client.call('GET', '/api/user/token-sign/')).json as {
    token_id: string;
    sign: string;
  };
  await client.call('POST', '/api/user/binding/', { code, token_id, sign });
  await client.waitForDevice('the device is online', ({ name, online }) => name === '免令牌' && online);
  await child[Symbol.asyncDispose]();
});

test('a script cut short in transit does nothing', async () => {
  const { body } = await request({ port: product.ports.http, path: '/agent/install.sh' });
  const half = body
    .toString()
    .slice(0, Math.floor(body.length * 0.8))
    .replaceAll("'", String.raw`'\''`);
  const { child, home } = await pasteLine(`printf %s '${half}' | sh -s -- --token ${profile.token} --dir $HOME/tongtu`);
  await child.exited;
  await expect(stat(path.join(home, 'tongtu'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a one-time proof of the console enrols one device and no second', async () => {
  const { token_id, sign } = (await client.call('GET', '/api/user/token-sign/')).json as {
    token_id: string;
    sign: string;
  };
  const token = `tb_${token_id}.${sign}`;
  const first = await pasteLine(installLine(`--token ${token} --name 一次性 --dir $HOME/tongtu`));
  saveLogOnFailure('install-token-sign', first.child);
  await client.waitForDevice('the device is online', ({ name, online }) => name === '一次性' && online);

  const second = await pasteLine(installLine(`--token ${token} --dir $HOME/tongtu`));
  expect((await second.child.exited).code).toBe(BAD_TOKEN_EXIT);
  await first.child[Symbol.asyncDispose]();
});

test('the agent file is served with its hash, and not as a page', async () => {
  const reply = await request({ port: product.ports.http, path: '/agent/tongtu-agent.mjs' });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toContain('javascript');
  await waitFor('the hash is served', 30_000, async () => {
    const { json } = await client.call('GET', '/api/agent/bootstrap/');
    return (json as { agent_sha256: string }).agent_sha256 === createHash('sha256').update(reply.body).digest('hex');
  });
});
