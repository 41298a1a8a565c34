import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Lan, LanHost, LanScan, LanService } from '@tongtu/contract';
import { Route, Routes } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { appOf } from '../../../testing/app-fixtures.ts';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { LanPage } from './lan-page.tsx';

setUpTimes();
afterEach(cleanup);

const at = '2026-11-24T01:00:00.000Z';
const seen = { is_new: false, is_missing: false, first_seen: at, last_seen: at };
const done: LanScan = { started_at: at, ended_at: at, percent: 100, result: 'done' };

function serviceOf(fields: Partial<LanService>): LanService {
  return { id: fields.port ?? 1, port: 80, protocol: 'http', kind: null, title: '', ...seen, ...fields };
}

function hostOf(fields: Partial<LanHost>): LanHost {
  const host = { id: 1, address: '192.168.1.10', mac: null, vendor: '', name: '', kind: null, is_self: false };
  return { ...host, services: [], ...seen, ...fields };
}

const nas = hostOf({
  ...{ name: 'nas', kind: 'synology', vendor: 'Synology', mac: '00:11:32:aa:bb:cc' },
  services: [
    serviceOf({ port: 22, protocol: 'ssh', kind: 'ssh', title: 'SSH-2.0-OpenSSH_9.2' }),
    serviceOf({ port: 5000, kind: 'synology', title: 'Synology DiskStation' }),
    serviceOf({ port: 5006, protocol: 'https', kind: 'webdav' }),
  ],
});
const device = deviceOf({ mappings: [mappingOf()] });

function open(lan: Partial<Lan>, { of = device, apps = [appOf()] } = {}) {
  return show(
    <Routes>
      <Route path="/devices/:id/lan" element={<LanPage />} />
    </Routes>,
    {
      'GET /api/user/routers/': () => ({ count: 1, next: null, previous: null, results: [of] }),
      'GET /api/user/cloud_apps/': () => apps,
      'GET /api/site/config/': () => ({ base_domain: 'example.com', console_url: 'https://example.com' }),
      'GET /api/user/routers/{id}/lan/': () => ({ enabled: true, scan: done, hosts: [], ...lan }),
      'PATCH /api/user/routers/{id}/lan/': () => ({}),
      'POST /api/user/routers/{id}/lan/scan/': () => ({}),
    },
    { at: `/devices/${device.id}/lan` },
  );
}

const service = async (name: string) => within(await screen.findByRole('listitem', { name }));

test('a service that is mapped opens, and an app that exists opens, too', async () => {
  open({ hosts: [nas] });
  const web = (await service('群晖')).getByRole('link', { name: /^打开/ });
  expect(web.getAttribute('href')).toBe(mappingOf().url.replace(/\/$/, ''));
  const terminal = (await service('SSH')).getByRole('link', { name: /^打开/ });
  expect(terminal.getAttribute('href')).toBe('#/apps/5');
});

test('one click opens the form of a mapping with everything filled in', async () => {
  open({ hosts: [nas] }, { of: deviceOf({ mappings: [] }) });
  fireEvent.click((await service('群晖')).getByRole('button', { name: /添加映射/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const values = dialog.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(['192.168.1.10', '5000', 'nas', 'nas 群晖']));
});

test('one click opens the form of an app with everything filled in', async () => {
  open({ hosts: [nas] }, { apps: [] });
  fireEvent.click((await service('WebDAV')).getByRole('button', { name: /添加文件管理/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>('主机').value).toBe('192.168.1.10'));
  expect(dialog.getByLabelText<HTMLInputElement>('端口').value).toBe('5006');
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /HTTPS/ }).checked).toBe(true);
});

test('what is new and what was not found again is marked', async () => {
  const missing = hostOf({ id: 2, address: '192.168.1.2', is_missing: true });
  open({ hosts: [missing, { ...nas, is_new: true }] });
  const rows = await screen.findAllByRole('listitem', { name: /^主机/ });
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(['主机 nas', '主机 192.168.1.2']);
  within(rows[0] ?? document.body).getByText('新发现');
  within(rows[1] ?? document.body).getByText('未再发现');
});

test('a search finds hosts by any of their facts', async () => {
  open({ hosts: [nas, hostOf({ id: 2, address: '192.168.1.2', vendor: 'Espressif' })] });
  const field = await screen.findByPlaceholderText(/^搜索/);
  for (const [text, found] of [
    ['webdav', '主机 nas'],
    ['00:11:32', '主机 nas'],
    ['espress', '主机 Espressif'],
  ] as const) {
    fireEvent.change(field, { target: { value: text } });
    await waitFor(() =>
      expect(screen.getAllByRole('listitem', { name: /^主机/ }).map((row) => row.getAttribute('aria-label'))).toEqual([
        found,
      ]),
    );
  }
  fireEvent.change(field, { target: { value: '没有的' } });
  await screen.findByText('没有符合搜索的主机');
});

test.each([
  [{ scan: null }, '还没有扫描过'],
  [{ enabled: false, scan: null }, '局域网发现已关闭'],
  [{}, '没有发现任何主机'],
  [{ scan: { ...done, result: 'outdated' as const } }, '请先升级设备上的客户端'],
  [{ scan: { ...done, result: 'switched-off' as const } }, '设备上关闭了局域网发现'],
  [{ scan: { ...done, result: 'offline' as const } }, '设备不在线'],
  [{ scan: { ...done, ended_at: null, result: null, percent: 40 } }, '正在扫描局域网…'],
])('%j is shown as %s', async (lan, words) => {
  open(lan);
  await screen.findByText(words);
});

test('a scan is started, and switching off asks first', async () => {
  const calls = open({ hosts: [nas] });
  fireEvent.click(await screen.findByRole('button', { name: '重新扫描' }));
  await waitFor(() => expect(calls.map(({ key }) => key)).toContain('POST /api/user/routers/{id}/lan/scan/'));
  fireEvent.click(screen.getByRole('button', { name: '更多操作' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '关闭局域网发现' }));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '关闭局域网发现' }));
  await waitFor(() =>
    expect(calls).toContainEqual({
      key: 'PATCH /api/user/routers/{id}/lan/',
      input: { params: { id: device.id }, body: { enabled: false } },
    }),
  );
});

test('a device that is offline cannot be asked', async () => {
  open({ hosts: [nas] }, { of: { ...device, online: false } });
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: '重新扫描' })).disabled).toBe(true);
});

test('a device of somebody else is not found', async () => {
  open({}, { of: deviceOf({ id: 99 }) });
  await screen.findByText('没有找到该设备');
});
