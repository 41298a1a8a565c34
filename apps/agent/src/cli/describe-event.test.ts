import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { expect, test } from 'vitest';
import { fetchBootstrap } from '../server/bootstrap.ts';
import { listenOnLoopback, startLanService } from '../testing/lan-service.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { describeEvent } from './describe-event.ts';

/** The log line of an agent that was started with this address. */
async function lineFor(serverUrl: string): Promise<string> {
  const error = await fetchBootstrap(serverUrl, new AbortController().signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was reached');
  return describeEvent({ event: 'server-unreachable', serverUrl, reason: error.message });
}

test('an address with the wrong one of http and https is reported with the right one', async () => {
  const tls = createTlsServer(await selfSigned('nas'));
  const plain = createServer();
  try {
    expect(await lineFor(`http://127.0.0.1:${await listenOnLoopback(tls)}`)).toContain('请改用 https://');
    expect(await lineFor(`https://127.0.0.1:${await listenOnLoopback(plain)}`)).toContain('请改用 http://');
  } finally {
    tls.close();
    plain.close();
  }
});

test('a port with another protocol is reported as such', async () => {
  await using ssh = await startLanService((socket) => socket.end('SSH-2.0-OpenSSH_10.0\r\n'));
  expect(await lineFor(`http://127.0.0.1:${ssh.port}`)).toContain('应答不是 HTTP；');
  expect(await lineFor(`https://127.0.0.1:${ssh.port}`)).toContain('应答不是 HTTPS；');
});

test('a self-signed certificate is reported as such', async () => {
  const tls = createTlsServer(await selfSigned('nas'));
  try {
    expect(await lineFor(`https://127.0.0.1:${await listenOnLoopback(tls)}`)).toContain('自签名的 HTTPS 证书');
  } finally {
    tls.close();
  }
});

test.each([
  ['not-json', '返回的是网页'],
  ['not-bootstrap', '不是通途服务器的应答'],
  ['status_302', 'HTTP 302，请求可能被代理、防火墙或需要登录的网络拦截'],
  ['status_403', 'HTTP 403，请求可能被代理、防火墙或需要登录的网络拦截'],
  ['status_404', 'HTTP 404，服务器可能正在部署，或地址有误'],
  ['status_429', 'HTTP 429，请求过于频繁'],
  ['status_503', 'HTTP 503，服务器可能正在启动或维护'],
])('%s instead of the server is described with its likely cause', (reason, words) => {
  const line = describeEvent({ event: 'server-unreachable', serverUrl: 'http://nas', reason });
  expect(line).toContain(words);
  expect(line).toMatch(/。会一直重试$/);
});

test('an answer from another origin names that origin', () => {
  const redirectedTo = 'http://portal.lan';
  const line = describeEvent({
    event: 'server-unreachable',
    serverUrl: 'http://nas',
    reason: 'not-json',
    redirectedTo,
  });
  expect(line).toContain('请求被转到了 http://portal.lan，返回的是网页');
});

test.each([
  ['ECONNREFUSED', '连接被拒绝'],
  ['ENOTFOUND', '找不到这个主机名'],
  ['ETIMEDOUT', '超时'],
  ['ECONNRESET', '断开'],
  ['EHOSTUNREACH', '无法到达'],
  ['CERT_NOT_YET_VALID', '本机时间'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '证书不受信任'],
  ['SELF_SIGNED_CERT_IN_CHAIN', '系统信任列表'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', '应答不是 HTTP'],
  ['device.unknown', '没有这台设备'],
  ['E_NEW_IN_SOME_NODE', '网络错误（'],
])('%s is a sentence', (reason, words) => {
  const line = describeEvent({ event: 'server-unreachable', serverUrl: 'http://nas', reason });
  expect(line).toContain(words);
  expect(line).not.toContain(`：${reason}`);
  expect(describeEvent({ event: 'offline', reason })).not.toContain(`：${reason}`);
});

test('the log shows neither the password nor the query of an address', () => {
  const serverUrl = 'http://li:geheim@nas/?auth=geheim';
  const redirectedTo = 'https://login.example/?session=geheim#geheim';
  const lines = [
    describeEvent({ event: 'server-unreachable', serverUrl, reason: 'not-json', redirectedTo }),
    describeEvent({ event: 'enrolling', serverUrl }),
  ];
  expect(lines.join()).toContain('https://login.example/?***，');
  expect(lines.join()).not.toContain('geheim');
});
