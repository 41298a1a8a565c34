import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Download, DownloadsFromGateway } from '@tongtu/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openedOf } from '../../../testing/app-fixtures.ts';
import { detailsOf, downloadOf } from '../../../testing/download-fixtures.ts';
import { type FakeGateway, fakeGateway } from '../../../testing/fake-socket.ts';
import { show } from '../../../testing/show.tsx';
import type { EndReason } from '../app-screen.ts';
import { DownloadsScreen } from './downloads-screen.tsx';

type Answer = { status?: number; body?: unknown };
type Sent = { call: string; query: URLSearchParams; body: unknown };

let gateway: FakeGateway;
let sent: Sent[];
let answers: Record<string, () => Answer>;

const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { code, detail: `原因 ${code}`, status, title: '', type: '', request_id: '', ...more },
});

beforeEach(() => {
  gateway = fakeGateway();
  sent = [];
  answers = { connect: () => ({ body: { path: '/downloads' } }) };
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://localhost');
    const call = url.pathname.replace('/apps/31/downloads/', '');
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body;
    sent.push({ call, query: url.searchParams, body });
    const { status = 200, body: json = {} } = answers[call]?.() ?? {};
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    return await Promise.resolve(new Response(JSON.stringify(json), { status, headers: { 'content-type': type } }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const id = 'a'.repeat(16);
const bodies = (call: string) => sent.filter((each) => each.call === call).map(({ body }) => body);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const receive = (message: DownloadsFromGateway) => act(() => gateway.latest().message(message));
const list = (...downloads: Download[]) =>
  receive({ type: 'downloads', download_speed: 2_048, upload_speed: 0, downloads, left_out: 0 });

async function open(...downloads: Download[]) {
  const onEnded = vi.fn<(reason: EndReason) => void>();
  show(<DownloadsScreen session={openedOf(31, { kind: 'aria2' })} notice={null} onEnded={onEnded} />, {});
  act(() => gateway.latest().open());
  await waitFor(() => expect(gateway.latest().messages()).toEqual([{ type: 'watch', details: null }]));
  list(...downloads);
  return { onEnded };
}

test('each state is shown with what belongs to it', async () => {
  await open(
    downloadOf({ id: '1', name: '甲', completed_bytes: 250, seeders: 3, is_torrent: true }),
    downloadOf({ id: '2', name: '乙', status: 'paused' }),
    downloadOf({ id: '3', name: '丙', status: 'complete', completed_bytes: 1_000 }),
    downloadOf({ id: '4', name: '丁', status: 'error', error_code: 9, error_message: 'no space' }),
    downloadOf({ id: '5', name: '', status: 'error', error_code: 1, error_message: 'odd thing' }),
    downloadOf({ id: '6', name: '己', is_seeding: true, is_torrent: true, uploaded_bytes: 2_048 }),
  );
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows[0]).toContain('正在下载250 B / 1.0 KB25%↓ 100 B/s↑ 0 B/s剩余 8 秒2 个连接3 个做种者');
  expect(rows[1]).toContain('已暂停500 B / 1.0 KB50%');
  expect(rows[2]).toContain('已完成1.0 KB');
  expect(rows[3]).toContain('磁盘空间不足');
  expect(rows[3]).not.toContain('no space');
  expect(rows[4]).toContain('尚未取得名称');
  expect(rows[4]).toContain('odd thing');
  expect(rows[5]).toContain('正在做种');
  expect(rows[5]).toContain('已上传 2.0 KB');
  screen.getByRole('img', { name: '下载 2.0 KB/s，上传 0 B/s' });
});

test('a running download is removed after a question, the record of a stopped one at once', async () => {
  await open(downloadOf({ id, name: '甲' }), downloadOf({ id: 'b'.repeat(16), name: '乙', status: 'complete' }));
  press('移除 甲');
  expect(bodies('change')).toEqual([]);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^移\s?除$/ }));
  await waitFor(() => expect(bodies('change')).toEqual([{ action: 'remove', id }]));
  press('清除记录 乙');
  await waitFor(() => expect(bodies('change')).toHaveLength(2));
  expect(bodies('change')[1]).toEqual({ action: 'forget', id: 'b'.repeat(16) });
  // What has changed is asked for at once.
  await waitFor(() => expect(gateway.latest().messages()).toHaveLength(3));
});

test('what fails is reported, and the list stays', async () => {
  answers['change'] = () => problem(404, 'downloads.not-found');
  await open(downloadOf({ id, name: '甲' }));
  press('暂停 甲');
  await screen.findByText('原因 downloads.not-found');
  screen.getByRole('button', { name: '甲' });
});

test('links are added together; those that aria2 refuses stay in the form with the reason', async () => {
  answers['links'] = () => ({ body: { done: 1, failed: [{ item: 'http://nas/b', detail: '不行' }] } });
  await open();
  fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: /添加下载$/ }));
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('下载链接'), { target: { value: 'http://nas/a\nhttp://nas/b' } });
  fireEvent.change(dialog.getByLabelText('文件夹'), { target: { value: '../x' } });
  fireEvent.click(dialog.getByRole('button', { name: '开始下载' }));
  await dialog.findByText(/不能以 \/ 开头或包含/);
  fireEvent.change(dialog.getByLabelText('文件夹'), { target: { value: ' 电影 ' } });
  fireEvent.change(dialog.getByLabelText('下载限速'), { target: { value: '1.5' } });
  fireEvent.click(dialog.getByRole('button', { name: '开始下载' }));
  await dialog.findByText('有 1 个链接没有添加');
  expect(bodies('links')).toEqual([
    { links: ['http://nas/a', 'http://nas/b'], folder: '电影', download_limit: 1_572_864 },
  ]);
  expect(dialog.getByLabelText<HTMLTextAreaElement>('下载链接').value).toBe('http://nas/b');
});

test('a wrong secret is asked for again by its name', async () => {
  answers['connect'] = () => problem(403, 'target.login-failed');
  show(<DownloadsScreen session={openedOf(31, { kind: 'aria2' })} notice={null} onEnded={() => {}} />, {});
  await screen.findByText('RPC 密钥不正确，请重新输入。');
  answers['connect'] = () => ({ body: { path: '/downloads' } });
  fireEvent.change(screen.getByLabelText('RPC 密钥'), { target: { value: 'geheim' } });
  press(/^登\s?录$/);
  await waitFor(() => expect(bodies('connect')).toEqual([{}, { password: 'geheim' }]));
});

test('a hidden page asks for nothing until it is seen again', async () => {
  await open();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(gateway.latest().messages().at(-1)).toEqual({ type: 'rest' });
  visibility.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(gateway.latest().messages().at(-1)).toEqual({ type: 'watch', details: null });
});

test('while aria2 or the gateway cannot be reached, the last list stays under a notice', async () => {
  const { onEnded } = await open(downloadOf({ name: '甲' }));
  receive({ type: 'target_failed', code: 'target.refused', detail: '目标拒绝了连接' });
  screen.getByText('暂时读不到 aria2 的状态，正在重试：目标拒绝了连接');
  list(downloadOf({ name: '甲' }));
  expect(screen.queryByText(/正在重试/)).toBeNull();
  act(() => gateway.latest().cut());
  screen.getByText('与服务器的连接断开了，正在重新连接…');
  screen.getByRole('button', { name: '甲' });
  await waitFor(() => expect(gateway.sockets).toHaveLength(2));
  act(() => gateway.latest().open());
  expect(gateway.latest().messages()).toEqual([{ type: 'watch', details: null }]);
  receive({ type: 'failed', reason: 'right-ended' });
  expect(onEnded.mock.calls).toEqual([['right-ended']]);
});

test('the files of a torrent are chosen in its details', async () => {
  await open(downloadOf({ id, name: '假期', is_torrent: true }));
  press('假期');
  expect(gateway.latest().messages().at(-1)).toEqual({ type: 'watch', details: id });
  const file = { total_bytes: 10, completed_bytes: 0, is_selected: true };
  const files = [
    { ...file, number: 1, path: '一.txt' },
    { ...file, number: 2, path: '二.txt' },
  ];
  const before = { type: 'details', details: detailsOf({ id, files, file_count: 2 }) } as const;
  receive(before);
  const first = screen.getByRole<HTMLInputElement>('checkbox', { name: '一.txt' });
  fireEvent.click(first);
  press('保存选择');
  await waitFor(() => expect(bodies('settings')).toEqual([{ id, files: [2] }]));
  await screen.findByText('已保存');
  receive(before); // it was on its way when the choice was saved
  expect(first.checked).toBe(false);
  const chosen = files.map((each) => ({ ...each, is_selected: each.number === 2 }));
  receive({ type: 'details', details: detailsOf({ id, files: chosen, file_count: 2 }) });
  expect(first.checked).toBe(false);
  expect(screen.queryByRole('button', { name: '保存选择' })).toBeNull();
  fireEvent.click(first);
  press('保存选择');
  await waitFor(() => expect(bodies('settings').at(-1)).toEqual({ id, files: [1, 2] }));
  list();
  screen.getByText('这个下载已经不在列表里了');
});
