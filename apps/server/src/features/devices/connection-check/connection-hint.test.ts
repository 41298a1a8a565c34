import type { ProbeResult } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { connectionHint, relaysWarning } from './connection-hint.ts';

const mapping = { target: 'http://nas.local:5000', targetHost: 'nas.local', targetPort: 5000, port: 20_000 };

const failures = [
  ['dns_lan', 'not_found', '找不到名称 nas.local'],
  ['dns_lan', 'timeout', '解析名称 nas.local 超时'],
  ['dns_lan', 'not_allowed', '只连接局域网内的地址'],
  ['dns_lan', 'credential_address', '链路本地地址'],
  ['tcp', 'refused', '拒绝了端口 5000'],
  ['tcp', 'timeout', 'nas.local:5000 超时'],
  ['tcp', 'unreachable', '设备到不了 nas.local'],
  ['tls', 'tls_failed', 'HTTPS 握手失败'],
  ['tls', 'certificate_invalid', '关闭“校验内网证书”'],
  ['tls', 'timeout', '没有完成 HTTPS 握手'],
  ['http', 'closed', '断开了连接'],
  ['http', 'not_http', '不是网页内容'],
  ['http', 'timeout', '没有返回内容'],
  ['agent', 'timeout', '没有及时响应'],
  ['agent', 'offline', '连接刚刚断开'],
  ['agent', 'outdated', '请升级设备上的客户端'],
  ['agent', 'busy', '太多检测'],
  ['udp', 'refused', '没有服务在监听'],
  ['udp', 'unreachable', '设备到不了 nas.local'],
  ['udp', 'timeout', '无法向 nas.local 的 UDP 端口 5000'],
  ['relay', 'no_route', '还没有收到这条映射'],
  ['relay', 'port_in_use', '公网端口 20000 被服务器上的其他程序占用'],
  ['relay', 'port_not_allowed', '没有使用公网端口 20000 的权限'],
  ['relay', 'port_failed', '无法打开公网端口 20000'],
  ['relay', 'lost', '暂时无法处理'],
] as const satisfies [ProbeResult['step'], string, string][];

test.each(failures)('a failure at %s (%s) says what to do', (step, seen, words) => {
  expect(connectionHint({ ok: false, step, ms: 1, seen }, mapping)).toContain(words);
});

test.each([
  ['status_200', '连接正常，http://nas.local:5000 返回 HTTP 200'],
  ['http2', 'gRPC 程序可以访问'],
  ['status_302', '返回 HTTP 302'],
  ['status_401', '要求登录（HTTP 401）'],
  ['status_404', '网页可能在其他路径下'],
  ['status_502', '请检查该服务本身'],
  ['something else', '连接正常'],
])('a probe that succeeds with %s is reported as working', (seen, words) => {
  expect(connectionHint({ ok: true, step: 'http', ms: 1, seen }, mapping)).toContain(words);
});

test.each([
  ['tcp', 'connected', '连接正常，nas.local 的端口 5000 可以连接'],
  ['udp', 'answered', '连接正常，nas.local 的 UDP 端口 5000 有回应'],
  ['udp', 'silent', '请用实际的程序确认'],
] as const)('a %s port that is %s is called working as far as that shows', (step, seen, words) => {
  expect(connectionHint({ ok: true, step, ms: 1, seen }, mapping)).toContain(words);
});

test('a device that only some relays have causes a warning, one that all or none have does not', () => {
  expect(relaysWarning(1, 2)).toContain('只连上了 2 个中继中的 1 个');
  for (const [connected, running] of [
    [1, 1],
    [2, 2],
    [2, 1],
    [0, 2],
    [0, 0],
  ] as const)
    expect(relaysWarning(connected, running)).toBeNull();
});
