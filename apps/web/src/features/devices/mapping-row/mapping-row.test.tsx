import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { Mapping, MappingDns } from '@tongtu/contract';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { portHost } from '../mapping-address.ts';
import { SavedMappingProvider } from '../saved-mapping.ts';
import { MappingRow } from './mapping-row.tsx';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';

afterEach(cleanup);

const verifiedIp = 'POST /api/user/records/{id}/verified_ip/';
const currentNetwork = 'GET /api/user/current_network/';
const revoke = 'DELETE /api/user/verifications/{id}/';
const ssh: Partial<Mapping> = {
  kind: 'tcp',
  prefix: null,
  port: 20_000,
  domain: 'localhost',
  url: 'tcp://localhost:20000',
};
const passthrough: Partial<Mapping> = {
  kind: 'https',
  prefix: null,
  custom_domain: 'nas.example.com',
  tls_passthrough: true,
  dns: { state: 'ready', record: null, addresses: [], found: [] },
};
const checkDomain = 'POST /api/user/records/{id}/check_domain/';
const config = 'GET /api/site/config/';

function open(given: Partial<Mapping>, answers: Parameters<typeof show>[1] = {}) {
  const onOpen = vi.fn<(dialog: DeviceDialog) => void>();
  const mapping = mappingOf(given);
  const row = <MappingRow device={deviceOf()} mapping={mapping} isHighlighted={false} onOpen={onOpen} />;
  return { mapping, onOpen, calls: show(<ul>{row}</ul>, answers) };
}

test('a page is a link, a port and a wildcard are addresses to copy', () => {
  open({});
  expect(screen.getByRole('link').getAttribute('href')).toBe('http://nas.localhost/');
  cleanup();
  open(ssh);
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText('tcp://localhost:20000').closest('li')?.dataset.mapping).toBe('tcp://localhost:20000');
  expect(screen.getByLabelText('复制访问地址')).toBeDefined();
  cleanup();
  open({ ...passthrough, custom_domain: '*.example.com', domain: '*.example.com', url: 'https://*.example.com' });
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText('https://*.example.com')).toBeDefined();
});

function Leaving({ children }: { children: ReactNode }) {
  const [isLeft, setIsLeft] = useState(false);
  return isLeft ? null : (
    <>
      {children}
      <button onClick={() => setIsLeft(true)}>离开</button>
    </>
  );
}

test('a switch that failed is reported also after its screen was left', async () => {
  const answered = Promise.withResolvers<Mapping>();
  const row = <MappingRow device={deviceOf()} mapping={mappingOf()} isHighlighted={false} onOpen={() => undefined} />;
  show(<Leaving>{row}</Leaving>, { 'PATCH /api/user/records/{id}/': () => answered.promise });
  fireEvent.click(screen.getByRole('switch'));
  fireEvent.click(screen.getByText('离开'));
  answered.reject(new ApiError({ type: 'network' }));
  await screen.findByText(/网络/);
});

test('what is special about a mapping is said in words', () => {
  open({ ...passthrough, hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' } });
  const words = ['自有域名', '端到端加密', '周一至周五 08:00–18:00'];
  for (const word of words) expect(screen.getByText(word)).toBeDefined();
  cleanup();
  open({});
  for (const word of words) expect(screen.queryByText(word)).toBeNull();
});

test('a mapping outside its opening times is shown as closed', () => {
  open({ closes_at: '2026-01-01T00:00:00.000Z' });
  expect(screen.getByText('已过开放日期')).toBeDefined();
  cleanup();
  open({ opens_at: '2126-01-01T00:00:00.000Z' });
  expect(screen.getByText('尚未开放')).toBeDefined();
});

test.each([
  [{ state: 'waiting', not_after: null, error: null } as const, '证书申请中'],
  [{ state: 'failed', not_after: null, error: '域名没有解析到任何地址' } as const, '证书申请失败'],
  [{ state: 'ready', not_after: '2026-12-01T00:00:00.000Z', error: '稍后会自动重试' } as const, '证书续期失败'],
  [{ state: 'ready', not_after: '2026-12-01T00:00:00.000Z', error: null } as const, undefined],
  [null, undefined],
])('with the certificate %j its row says %s', (certificate, words) => {
  open({ ...passthrough, tls_passthrough: false, certificate });
  expect(screen.queryByText(/^证书/)?.textContent).toBe(words);
  if (certificate?.error) expect(screen.getByText(certificate.error)).toBeDefined();
});

test('a domain that does not lead here yet says so, with its record, and turns green when it does', async () => {
  const found = { record: null, addresses: ['203.0.113.80'], found: ['198.51.100.1'] };
  const waiting: MappingDns = { ...found, state: 'waiting' };
  const ready: MappingDns = { ...found, state: 'ready' };
  const own = { prefix: null, custom_domain: 'xn--fct.example.com', domain: 'xn--fct.example.com', dns: waiting };
  const row = (given: Partial<Mapping>) => (
    <MappingRow
      device={deviceOf({ server: { id: 1, name: '', suffix: 't.example.com' } })}
      mapping={mappingOf({ ...own, ...given })}
      isHighlighted={false}
      onOpen={() => undefined}
    />
  );
  const answers = {
    [config]: () => ({ console_url: 'http://localhost' }),
    [checkDomain]: () => mappingOf({ dns: ready }),
  };
  const calls = show(<ul>{row({})}</ul>, answers);
  expect(screen.getByText('等待解析')).toBeDefined();
  expect(screen.getByText('域名现在指向 198.51.100.1，不是本服务器')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '解析记录 家.example.com' }));
  const record = (await screen.findByText('CNAME')).closest('dl')?.textContent;
  expect(record).toMatch(/xn--fct\.example\.com.*t\.example\.com/);
  expect(screen.getByText(/记录值为 203\.0\.113\.80/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '立即检查 家.example.com' }));
  await screen.findByText('家.example.com 的解析已生效');
  expect(calls).toContainEqual({ key: checkDomain, input: { params: { id: 3 } } });
  cleanup();

  show(<ul>{row({ dns: ready })}</ul>, answers);
  expect(screen.queryByText('等待解析')).toBeNull();
  expect(screen.getByText('自有域名').closest('[title=解析已生效]')).not.toBeNull();
});

test('usage shows when there was some', () => {
  open({ usage_24h: { bytes_in: 1024, bytes_out: 1_048_576, requests: 12 } });
  expect(screen.getByText('近 24 小时 1.0 MB · 12 次访问').title).toBe('上传 1.0 KB，下载 1.0 MB');
  cleanup();
  open({});
  expect(screen.queryByText(/近 24 小时/)).toBeNull();
});

test.each([
  ['a port', ssh, true],
  ['an end-to-end encrypted page', passthrough, true],
  ['a public port', { ...ssh, policy: 'public' as const }, false],
  ['a page behind the gate', {}, false],
])('%s: whether the network of now can be let in', (_what, given, isOffered) => {
  open(given);
  expect(screen.queryAllByLabelText(/允许当前网络访问/)).toHaveLength(isOffered ? 1 : 0);
});

/** A fake server that stores whether the network is allowed. */
function networkAt(ip: string) {
  const until = new Date(2026, 10, 23, 16, 43).toISOString();
  let allowed: object[] = [];
  return {
    [currentNetwork]: () => ({ ip, allowed }),
    [verifiedIp]: () => void (allowed = [{ mapping: 3, verification: 40, expires_at: until }]),
    [revoke]: () => void (allowed = []),
  };
}

test('the row says until when the current network is allowed, and ends it', async () => {
  const { calls } = open(ssh, networkAt('198.51.100.23'));
  fireEvent.click(await screen.findByLabelText(/^允许当前网络访问/));
  await screen.findByText(/^当前网络已允许至 (2026-)?11-23 16:43$/);
  expect(screen.queryByLabelText(/^允许当前网络访问/)).toBeNull();
  expect(calls).toContainEqual({ key: verifiedIp, input: { params: { id: 3 } } });

  fireEvent.click(screen.getByLabelText('撤销当前网络的访问 tcp://localhost:20000'));
  await screen.findByLabelText(/^允许当前网络访问/);
  expect(calls).toContainEqual({ key: revoke, input: { params: { id: 40 } } });
});

test('what is allowed at another mapping is not said here', async () => {
  const expires_at = '2026-11-23T00:00:00.000Z';
  const allowed = [{ mapping: 4, verification: 41, expires_at }];
  const { calls } = open(ssh, { [currentNetwork]: () => ({ ip: '198.51.100.23', allowed }) });
  await expect.poll(() => calls.length).toBe(1);
  expect(screen.getByLabelText(/^允许当前网络访问/)).toBeDefined();
});

test('letting an IPv6 address in says that IPv4 is another one', async () => {
  const words = /如果程序用 IPv4 连接/;
  open(ssh, networkAt('2001:db8::7'));
  expect(screen.queryByText(words)).toBeNull();
  fireEvent.click(await screen.findByLabelText(/^允许当前网络访问/));
  await screen.findByText(words);
});

test('a network that cannot be allowed shows the reason', async () => {
  const more = { status: 429, detail: '', fields: {}, requestId: '', retryAfterSeconds: 60 };
  const refusal = new ApiError({ type: 'problem', code: 'gate.verified-ip-limit', ...more });
  open(ssh, { [verifiedIp]: () => Promise.reject(refusal) });
  fireEvent.click(screen.getByLabelText(/允许当前网络访问/));
  await screen.findByText('24 小时内最多允许 20 个新的网络，请稍后再试');
});

async function openMenu(name: string): Promise<string[]> {
  fireEvent.click(screen.getByLabelText(`更多操作 ${name}`));
  const items = await screen.findAllByRole('menuitem');
  return items.map((item) => item.textContent);
}

test.each([
  ['a page behind the gate', {}, ['分享', '放行程序', '统计', '验证记录', '访问日志', '删除']],
  [
    'a page with a password',
    { policy: 'password' as const },
    ['分享', '放行程序', '统计', '验证记录', '访问日志', '删除'],
  ],
  ['a public page', { policy: 'public' as const }, ['分享', '统计', '验证记录', '访问日志', '删除']],
  ['a page closed to all', { policy: 'closed' as const }, ['分享', '统计', '验证记录', '访问日志', '删除']],
  ['an end-to-end encrypted page', passthrough, ['放行程序', '统计', '验证记录', '访问日志', '删除']],
])('%s is shared in the ways that can be', async (_what, given, words) => {
  open({ domain: 'nas.localhost', ...given });
  expect(await openMenu('nas.localhost')).toEqual(words);
});

test('the menu of a mapping leads to its records', async () => {
  const Place = () => <output>{useLocation().pathname + useLocation().search}</output>;
  const row = <MappingRow device={deviceOf()} mapping={mappingOf()} isHighlighted={false} onOpen={() => undefined} />;
  show(
    <>
      <ul>{row}</ul>
      <Place />
    </>,
    {},
  );
  await openMenu('nas.localhost');
  fireEvent.click(screen.getByText('验证记录'));
  await screen.findByText('/record?mapping=3');
});

test('the port of a server without a domain is reached by the host that the console was opened with', () => {
  expect(portHost('localhost', '192.168.1.5')).toBe('192.168.1.5');
  expect(portHost('t.example.com', '192.168.1.5')).toBe('t.example.com');
  expect(portHost('localhost', 'localhost')).toBe('localhost');
});

test('the row of a link in the address scrolls once, not again when it stops being marked as saved', () => {
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
  function Marked() {
    const [id, setId] = useState<number | undefined>(3);
    return (
      <SavedMappingProvider value={{ id, mark: () => undefined }}>
        <button onClick={() => setId(undefined)}>later</button>
        <MappingRow device={deviceOf()} mapping={mappingOf({ id: 3 })} isHighlighted onOpen={() => undefined} />
      </SavedMappingProvider>
    );
  }
  show(<Marked />, {});
  scrolled.mockClear();
  fireEvent.click(screen.getByText('later'));
  expect(scrolled).not.toHaveBeenCalled();
  scrolled.mockRestore();
});
