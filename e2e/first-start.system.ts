import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TotpSetup } from '@tongtu/contract';
import { totpCode } from '@tongtu/server/testing/totp';
import { expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { request } from './support/clients/http-request.ts';
import { emptyDataDir, freshFolder, launchProduct, pickPorts, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const WELCOME = /示例页面：http:\/\/(welcome\.localhost):(\d+)/;

const PASSWORD = /密码：(\S+)/;

test('the first start prints once how to log in, with a unique password, and a welcome page that is already served', async () => {
  const dataDir = await emptyDataDir();
  let password: string | undefined;
  {
    await using first = await startProduct({ dataDir, throughNpm: true, env: { ADMIN_PASSWORD: '' } });
    saveLogOnFailure('first-start', first.child);
    const [, host] = await waitFor('the welcome address', 30_000, () => WELCOME.exec(first.child.output) ?? undefined);
    expect(first.child.output).toContain(`控制台：${first.consoleUrl}`);
    password = PASSWORD.exec(first.child.output)?.[1];
    expect(password).toMatch(/^\S{10,}$/);

    const welcome = { port: first.ports.http, path: '/', host: `${host}:${first.ports.http}` };
    const page = await waitFor('the welcome page', 30_000, async () => {
      const reply = await request(welcome);
      return reply.status === 200 && reply;
    });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body.toString()).toMatch(/[\u4e00-\u9fff]{2}/);
    await new ApiClient(first).logIn('admin', password);
  }
  // Later starts ignore the variable.
  await using second = await startProduct({ dataDir, throughNpm: true, env: { ADMIN_PASSWORD: 'short' } });
  saveLogOnFailure('second-start', second.child);
  await waitFor('the welcome address', 30_000, () => WELCOME.exec(second.child.output) ?? undefined);
  expect(second.child.output).not.toContain('密码');
  await new ApiClient(second).logIn('admin', password);
});

test('--no-local-agent starts without a device, and --reset-admin-password prints a new password, which ends earlier sessions', async () => {
  const earlier = await (async () => {
    await using product = await startProduct({ args: ['--no-local-agent'] });
    const client = new ApiClient(product);
    await client.logIn();
    await waitFor('the start is over', 30_000, () => product.child.output.includes('Ctrl+C'));
    expect(await client.devices()).toEqual([]);
    expect(product.child.output).not.toContain('示例页面');
    const { secret } = TotpSetup.parse((await client.call('POST', '/api/user/totp/')).json);
    expect((await client.call('POST', '/api/user/totp/confirm/', { code: totpCode(secret) })).status).toBe(200);
    return { client, ports: product.ports, dataDir: product.dataDir };
  })();

  await using product = await startProduct({
    dataDir: earlier.dataDir,
    ports: earlier.ports,
    args: ['--no-local-agent', '--reset-admin-password'],
  });
  saveLogOnFailure('reset-admin-password', product.child);
  const password = await waitFor('the new password', 30_000, () => PASSWORD.exec(product.child.output)?.[1]);
  expect(product.child.output).toContain('两步登录已关闭');
  await expect(new ApiClient(product).logIn()).rejects.toThrow('401');
  await new ApiClient(product).logIn('admin', password);
  expect((await earlier.client.call('GET', '/api/user/routers/')).status).toBe(401);
});

test('a data folder in use by a running copy is refused, and the running copy is not disturbed', async () => {
  await using running = await startProduct();
  await using second = await launchProduct({ dataDir: running.dataDir });
  saveLogOnFailure('second-copy', second.child);

  expect((await second.child.exited).code).toBeGreaterThan(0);

  expect(second.child.output).toMatch(/无法启动：.*数据目录/);
  expect(second.child.output).toContain('正被另一个运行中的通途使用');
  expect(second.child.output).not.toMatch(/\bat .*\.ts:\d+/);
  const client = new ApiClient(running);
  await client.logIn();
  await client.waitForDevice('the local device is still online', ({ online }) => online);
});

test.each(['http', 'tls', 'tunnel'] as const)('a taken %s port is named', async (which) => {
  const ports = await pickPorts();
  const squatter = createServer().listen(ports[which], '127.0.0.1');
  await once(squatter, 'listening');
  try {
    await using product = await launchProduct({ ports, env: { HOST: '127.0.0.1' } });
    saveLogOnFailure(`port-taken-${which}`, product.child);
    expect((await product.child.exited).code).toBeGreaterThan(0);
    expect(product.child.output).toContain(`无法启动：端口 ${ports[which]} 已被占用`);
    expect(product.child.output).not.toMatch(/\bat .*\.ts:\d+/);
  } finally {
    squatter.close();
  }
});

test('a data folder that cannot be created is refused with its path', async () => {
  const file = path.join(await freshFolder('blocked'), 'file');
  await writeFile(file, '');
  await using product = await launchProduct({ dataDir: path.join(file, 'data') });
  saveLogOnFailure('data-dir', product.child);
  expect((await product.child.exited).code).toBeGreaterThan(0);
  expect(product.child.output).toContain(`无法使用数据目录 ${path.join(file, 'data')}`);
  expect(product.child.output).not.toMatch(/\bat .*\.ts:\d+/);
});

test('a wrong setting and a misspelt one are named', async () => {
  const env = { PORT: 'eighty', BASE_DOMIAN: 'example.com' };
  await using product = await launchProduct({ dataDir: await emptyDataDir(), env });
  expect((await product.child.exited).code).toBeGreaterThan(0);
  expect(product.child.output).toMatch(/无法启动：环境变量不正确[\s\S]*PORT/);
  expect(product.child.output).toContain('环境变量 BASE_DOMIAN 不是通途的设置，已忽略。是否应为 BASE_DOMAIN？');
});

test('a weak first password is refused, and the next start with a better one is a first start', async () => {
  const dataDir = await emptyDataDir();
  {
    await using product = await launchProduct({ dataDir, env: { ADMIN_PASSWORD: 'qwertyuiop' } });
    saveLogOnFailure('weak-password', product.child);
    expect((await product.child.exited).code).toBeGreaterThan(0);
    expect(product.child.output).toMatch(/无法启动：ADMIN_PASSWORD：新密码不能是连续的字母/);
    expect(product.child.output).not.toMatch(/\bat .*\.ts:\d+/);
  }
  await using first = await startProduct({ dataDir, args: ['--no-local-agent'] });
  await new ApiClient(first).logIn();
});
