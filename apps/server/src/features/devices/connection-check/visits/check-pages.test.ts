import { expect, test } from 'vitest';
import { check, type Service } from './testing/check-service.ts';

/** A service whose page takes its styles from its own idea of its address. */
const withStyles =
  (originFor: (seen: Parameters<Service>[0]) => string): Service =>
  (seen) => ({ title: 'Blog', origins: [originFor(seen)] });

test.each([
  ['of the LAN', 'https://example.com', 'http://192.168.1.10:5000'],
  ['that only the LAN knows', 'https://example.com', 'https://nas.lan'],
  ['of the mapping by http, within https', 'https://example.com', 'http://nas.example.com'],
  ['of the mapping at the port of the service', 'https://example.com', 'https://nas.example.com:5000'],
  ['of the mapping at no port', 'http://example.com:8080', 'http://nas.example.com'],
])('a page with styles from an address %s opens, but is not complete', async (_, publicUrl, origin) => {
  expect(
    await check(
      withStyles(() => origin),
      {},
      publicUrl,
    ),
  ).toMatchObject({
    ok: false,
    step: 'visit',
    hint: expect.stringContaining(`样式、脚本或表单使用 ${origin}`),
    visit: { fix: null },
  });
});

test.each(['https://cdn.example.org', 'https://nas.example.com:8443'])(
  'styles from %s are no trouble',
  async (origin) => {
    const service = withStyles(() => origin);
    const place = 'https://example.com:8443';
    expect(await check(service, {}, place)).toMatchObject({ ok: true });
  },
);

test('settings with which the page names what visitors can use are offered', async () => {
  const service = withStyles(({ host, proto }) => `${proto ?? 'http'}://${host}`);
  expect(await check(service, { hostHeader: 'rewrite' })).toMatchObject({
    ok: false,
    hint: expect.stringContaining('服务要求请求里的 Host 是 nas.example.com'),
    visit: { fix: { host_header: 'keep' } },
  });
});

test('settings with which the page opens without its styles are not offered', async () => {
  // As WordPress, which leads to the host that it is asked for, by its own scheme and port.
  const service: Service = ({ isDirect, host }) =>
    isDirect || host.startsWith('192.')
      ? { title: 'Blog', origins: ['http://192.168.1.10:5000'], generator: 'WordPress 6.1' }
      : { status: 301, location: '/' };
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: expect.stringMatching(/走不出来.*外部地址改为这条映射的地址/),
    visit: { fix: null, advice: expect.stringContaining('站点地址') },
  });
});

test('a service that leads to its public address in a circle gets advice on how to see its visitors', async () => {
  const service: Service = () => ({ status: 301, location: 'https://nas.example.com/' });
  expect(await check(service)).toMatchObject({ ok: false, hint: expect.stringContaining('X-Forwarded-Proto') });
});

test('a service that leads to a name of its own is asked by it', async () => {
  const service: Service = ({ host }) =>
    host === 'nas.lan:5000' ? {} : { status: 302, location: 'http://nas.lan:5000/ui' };
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: '服务只接受 nas.lan:5000 作为 Host',
    visit: { fix: { host_header: 'custom', host_name: 'nas.lan:5000' } },
  });
});

test('a redirect to https at the same port, where there is none, is not taken for a target', async () => {
  const service: Service = ({ kind, host }) =>
    kind === 'https'
      ? { answers: [], failure: 'target-tls-failed' }
      : { status: 301, location: `https://${host.replace(/^nas.*/, 'nas.example.com')}/` };
  const { hint } = await check(service);
  expect(hint).toContain('请把映射的目标改为服务的 HTTPS 端口');
});

test.each<[string, Service]>([
  ['a page without a byte', () => ({ isBlank: true })],
  ['a refusal', () => ({ status: 403 })],
  ['no answer', () => ({ answers: [], failure: 'target-lost' })],
  ['a failed handshake', () => ({ answers: [], failure: 'target-tls-failed' })],
])('of %s it is said what a proxy with names needs', async (_, service) => {
  expect((await check(service)).hint).toContain('“Host 处理”');
});

test('a page that only the LAN gets with content is a failure', async () => {
  const service: Service = ({ host }) => ({ isBlank: !host.startsWith('192.') });
  expect(await check(service)).toMatchObject({ ok: false, visit: { fix: { host_header: 'rewrite' } } });
});

test('a service that closes every connection but a WebSocket works', async () => {
  const service: Service = () => ({ answers: [], failure: 'target-lost', script: null, socket: 101 });
  expect(await check(service)).toMatchObject({
    ok: true,
    hint: '访客可以使用：服务不提供网页，它接受 WebSocket 连接',
  });
});

test('a WebSocket that only the LAN gets is a failure', async () => {
  const service: Service = ({ origin }) => ({
    ...{ answers: [], failure: 'target-lost', script: null },
    socket: origin === 'http://192.168.1.10:5000' ? 101 : 403,
  });
  expect(await check(service)).toMatchObject({ ok: false, visit: { fix: { host_header: 'rewrite' } } });
});
