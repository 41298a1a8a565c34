import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Mapping, MappingDns } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { MappingDialog } from './mapping-dialog.tsx';

afterEach(cleanup);

const create = 'POST /api/user/records/';
const change = 'PATCH /api/user/records/{id}/';
const config = 'GET /api/site/config/';
const device = deviceOf({ server: { id: 1, name: '', suffix: 't.example.com' } });
const site = { console_url: 'https://t.example.com', mapping_ports: { from: 20_000, to: 20_999 } };

type Answers = Parameters<typeof show>[1];

/** Opens the form; the returned function lists the bodies of the saving calls. */
function open(answers: Answers = {}, edited?: Mapping) {
  const onClose = vi.fn<() => void>();
  const dialog = <MappingDialog device={device} devices={[]} onClose={onClose} {...(edited && { mapping: edited })} />;
  const calls = show(dialog, { [config]: () => site, [create]: () => mappingOf(), [change]: () => edited, ...answers });
  const saves = () => calls.filter(({ key }) => key !== config).map(({ input }) => input);
  return { onClose, saves };
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio])' });
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const choose = (words: string) => fireEvent.click(screen.getByText(words));
const isUnfolded = () => screen.getByText('高级选项').closest('[role=button]')?.getAttribute('aria-expanded');
const submit = () => {
  const { form } = field('主机');
  if (form) fireEvent.submit(form);
};

/** Sends the event that a browser sends for pasted text. */
function paste(label: string, text: string): void {
  const input = field(label);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
}

function refusal(code: string, fields: Record<string, string[]>): Answers[string] {
  const more = { status: 409, detail: '', requestId: '', retryAfterSeconds: undefined };
  return () => Promise.reject(new ApiError({ type: 'problem', code, fields, ...more }));
}

test('a port is made of a preset and a host, its public port left to the server', async () => {
  const { onClose, saves } = open();
  choose('端口 TCP/UDP');
  fireEvent.click(await screen.findByText('SSH'));
  fill('主机', '192.168.1.10');
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves()).toEqual([
    {
      body: expect.objectContaining({
        kind: 'tcp',
        target: 'tcp://192.168.1.10:22',
        port: null,
        prefix: null,
        remark: 'SSH',
      }),
    },
  ]);
});

test('an address that was pasted brings its kind of mapping along', async () => {
  open();
  paste('主机', 'ssh://pi@192.168.1.10');
  await waitFor(() => expect([field('主机').value, field('端口').value]).toEqual(['192.168.1.10', '22']));
  await screen.findByText('公网端口');
  paste('主机', 'https://nas.local:5001/');
  await waitFor(() => expect([field('主机').value, field('端口').value]).toEqual(['nas.local', '5001']));
  await waitFor(() => expect(screen.queryByText('公网端口')).toBeNull());
});

test('from a console over http a TCP mapping comes with a word about cookies, a UDP mapping does not', async () => {
  open();
  choose('端口 TCP/UDP');
  fireEvent.click(await screen.findByText('SSH'));
  await screen.findByText(/浏览器会把它的 Cookie 也发给同一主机名的端口/);
  fireEvent.click(screen.getByText('WireGuard'));
  await waitFor(() => expect(screen.queryByText(/浏览器会把它的 Cookie/)).toBeNull());
});

test('a mapping that exists does not become one of another kind', async () => {
  const { saves } = open({}, mappingOf());
  expect(screen.queryByText('端口 TCP/UDP')).toBeNull();
  paste('主机', 'tcp://192.168.1.10:22');
  submit();
  await screen.findByText('网页映射与端口映射不能互相转换，请新建映射');
  expect(saves()).toEqual([]);
});

test.each([
  ['', '', '请输入服务的端口'],
  ['22', '80', '公网端口应为 20000–20999 的数字'],
  ['22', '20000a', '公网端口应为 20000–20999 的数字'],
])('a target port %j with public port %j is explained', async (port, publicPort, words) => {
  const { saves } = open();
  choose('端口 TCP/UDP');
  await screen.findByText(/可用 20000–20999/);
  fill('主机', '192.168.1.10');
  fill('端口', port);
  fill('公网端口', publicPort);
  submit();
  await screen.findByText(words);
  expect(saves()).toEqual([]);
});

test('a domain of the own comes with the record to set, and is sent as DNS knows it', async () => {
  const { onClose, saves } = open();
  choose('自有域名');
  await screen.findByPlaceholderText('例如 nas.example.com');
  fill('自有域名', '我的.中国');
  const record = await screen.findByText('CNAME');
  // The part of the console that knows how DNS writes names is loaded when a name needs it.
  await waitFor(() => expect(record.closest('dl')?.textContent).toContain('xn--wnu286b.xn--fiqs8s'));
  expect(screen.getByLabelText('复制记录值')).toBeDefined();
  fill('主机', '192.168.1.10');
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves()).toMatchObject([{ body: { custom_domain: 'xn--wnu286b.xn--fiqs8s', prefix: null } }]);
});

test('a domain that is saved before its record is set waits for it', async () => {
  const dns: MappingDns = { state: 'waiting', record: null, addresses: [], found: [] };
  const domain = 'xn--wnu286b.xn--fiqs8s';
  open({ [create]: () => mappingOf({ prefix: null, custom_domain: domain, domain, dns }) });
  choose('自有域名');
  await screen.findByPlaceholderText('例如 nas.example.com');
  fill('自有域名', '我的.中国');
  fireEvent.blur(field('自有域名'));
  expect(field('自有域名').value).toBe('我的.中国');
  fill('主机', '192.168.1.10');
  submit();
  await screen.findByText('已添加 我的.中国，等待解析生效');
});

test('nothing is called wrong before somebody typed it or asked to save', async () => {
  open();
  const required = ['请输入目标地址', '请输入域名前缀', '请输入您的域名', '请设置访问密码', '请输入服务的端口'];
  const leave = (label: string) => {
    fireEvent.focus(field(label));
    fireEvent.blur(field(label));
  };
  leave('主机');
  leave('端口');
  leave('域名前缀');
  choose('自有域名');
  await screen.findByPlaceholderText('例如 nas.example.com');
  leave('自有域名');
  choose('需访问密码');
  await screen.findByText('生成');
  leave('访问密码');
  paste('主机', 'udp://192.168.1.10');
  await screen.findByText('公网端口');
  leave('主机');
  await new Promise((done) => setTimeout(done));
  for (const words of required) expect(screen.queryByText(words)).toBeNull();

  submit();
  await screen.findByText('请输入服务的端口');
});

test('a hint below a group of fields belongs to the field', () => {
  open();
  const hintOf = (label: string) => {
    const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join();
  };
  expect(hintOf('主机')).toContain('可以直接粘贴服务的网址');
  expect(hintOf('域名前缀')).toContain('访问地址：');
});

test('a domain that somebody else has comes with the record that takes it over', async () => {
  const proof = '_tongtu.nas.example.com TXT tongtu-verify=abc';
  const messages = ['这个域名已被其他用户使用', proof];
  open({ [create]: refusal('mapping.domain-unproven', { custom_domain: messages }) });
  choose('自有域名');
  await screen.findByPlaceholderText('例如 nas.example.com');
  fill('自有域名', 'nas.example.com');
  fill('主机', '192.168.1.10');
  submit();
  await screen.findByText('这个域名已被其他用户使用');
  expect(screen.getByText('tongtu-verify=abc')).toBeDefined();
  expect(screen.queryByText(proof)).toBeNull();
});

test('options show where they make sense', async () => {
  open();
  choose('高级选项');
  const offered = () =>
    ['端到端加密', '校验内网证书', 'Host 处理', 'PROXY 协议 v2'].filter((words) => screen.queryByText(words) !== null);
  expect(offered()).toEqual(['Host 处理']);
  paste('主机', 'https://192.168.1.10');
  await waitFor(() => expect(offered()).toEqual(['校验内网证书', 'Host 处理']));
  choose('自有域名');
  await waitFor(() => expect(offered()).toEqual(['端到端加密', '校验内网证书', 'Host 处理']));
  choose('端到端加密');
  await waitFor(() => expect(offered()).toEqual(['端到端加密', 'PROXY 协议 v2']));
  expect(screen.getByText('只有您允许过的公网 IP 才能连接，推荐')).toBeDefined();
  paste('主机', 'udp://192.168.1.10:53');
  await waitFor(() => expect(offered()).toEqual([]));
});

test('what the service gets and how long it may take is chosen, and sent as chosen', async () => {
  const { onClose, saves } = open();
  choose('高级选项');
  paste('主机', 'https://192.168.1.10');
  await screen.findByText('TLS 名称（SNI）');
  expect(screen.queryByLabelText('自定义的 Host')).toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: /自定义/ }));
  await screen.findByLabelText('自定义的 Host');
  fireEvent.click(screen.getByRole('radio', { name: /不发送 IP/ }));
  choose('跟随 Host');
  choose('保持不变');
  fill('TLS 名称（SNI）', 'home.example.com');
  fill('等待应答', '3601');
  fill('域名前缀', 'nas');
  submit();
  await screen.findByText('请输入发给服务的 Host');
  await screen.findByText('应为 10–3600 秒');
  fill('自定义的 Host', 'nas.lan:8080');
  fill('等待应答', '600');
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves()).toMatchObject([
    {
      body: {
        ...{ host_header: 'custom', host_name: 'nas.lan:8080', visitor_fields: 'omit_address' },
        ...{ forwarded_proto: 'follow_host', origin_fields: 'keep', tls_name: 'home.example.com' },
        ...{ answer_timeout_s: 600, silence_timeout_s: 3600 },
      },
    },
  ]);
});

test('a Host of its own is left with its name', async () => {
  const { onClose, saves } = open({}, mappingOf({ host_header: 'custom', host_name: 'nas.lan' }));
  fireEvent.click(screen.getByRole('radio', { name: /保持访问域名/ }));
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves()).toEqual([{ params: { id: 3 }, body: { host_header: 'keep', host_name: '' } }]);
});

test('a mistake in the options that are folded away unfolds them', async () => {
  open({ [create]: refusal('request.invalid', { closes_at: ['结束时间必须晚于开始时间'] }) });
  expect(isUnfolded()).toBe('false');
  fill('主机', '192.168.1.10');
  fill('域名前缀', 'nas');
  submit();
  await screen.findByText('结束时间必须晚于开始时间');
  expect(isUnfolded()).toBe('true');
});

test('an error about a field that the form does not show is shown below the form', async () => {
  open({ [create]: refusal('request.invalid', { tls_passthrough: ['端到端加密需要使用自有域名'] }) });
  fill('主机', '192.168.1.10');
  fill('域名前缀', 'nas');
  submit();
  await screen.findByText('输入的数据不合法!');
});

test('a mapping with options opens with them unfolded, and saves what was changed', async () => {
  const edited = mappingOf({ hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' } });
  const { onClose, saves } = open({}, edited);
  expect(isUnfolded()).toBe('true');
  expect([field('开始时间').value, field('结束时间').value]).toEqual(['08:00', '18:00']);
  fireEvent.click(screen.getByLabelText('周六'));
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves()).toEqual([
    { params: { id: 3 }, body: { hours: { days: [1, 2, 3, 4, 5, 6], from: '08:00', to: '18:00' } } },
  ]);
});

test('a preset sets what its service needs, says what to set in it, and the next one begins anew', async () => {
  const { saves } = open();
  choose('更多…');
  fireEvent.click(await screen.findByText('Transmission'));
  expect(await screen.findByText(/rpc-whitelist/)).toBeTruthy();
  fireEvent.click(screen.getByText('Home Assistant'));
  expect(await screen.findByText(/trusted_proxies/)).toBeTruthy();
  expect(screen.queryByText(/rpc-whitelist/)).toBeNull();
  fill('主机', '192.168.1.10');
  submit();
  await waitFor(() => expect(saves()).toHaveLength(1));
  expect(saves()[0]).toMatchObject({
    body: { target: 'http://192.168.1.10:8123', prefix: 'ha', visitor_fields: 'omit_address', host_header: 'keep' },
  });
});
