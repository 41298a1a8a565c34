import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudAppKind, FileEntry } from '@tongtu/contract';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openedOf } from '../../../testing/app-fixtures.ts';
import { type FakeGateway, fakeGateway } from '../../../testing/fake-socket.ts';
import { show } from '../../../testing/show.tsx';
import type { EndReason } from '../app-screen.ts';
import { FilesScreen } from './files-screen.tsx';

type Answer = { status?: number; body?: unknown; text?: string };
type Sent = { call: string; query: URLSearchParams; method: string; body: unknown };

let gateway: FakeGateway;
let sent: Sent[];
/** By the call's name, and the path or the method where they matter. */
let answers: Record<string, (request: Sent) => Answer | Promise<Answer>>;

const entry = (name: string, given: Partial<FileEntry> = {}): FileEntry => ({
  ...{ name, type: 'file', size: 3, modified_at: '2026-11-01T00:00:00.000Z' },
  ...given,
});
const list = (...entries: FileEntry[]) => ({ body: { entries, free_bytes: 2_048 } });
const problem = (status: number, code: string, more: object = {}) => ({
  status,
  body: { code, detail: `原因 ${code}`, status, title: '', type: '', request_id: '', ...more },
});

beforeEach(() => {
  gateway = fakeGateway();
  sent = [];
  answers = {
    connect: () => ({ body: { path: '/home' } }),
    'list /home': () => list(entry('照片', { type: 'folder', size: null }), entry('说明.txt')),
    'list /home/照片': () => list(entry('海.txt')),
    'list /': () => list(entry('home', { type: 'folder', size: null })),
  };
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://localhost');
    const call = url.pathname.replace('/apps/31/files/', '');
    const body = typeof init.body === 'string' && call !== 'content' ? (JSON.parse(init.body) as unknown) : init.body;
    const request: Sent = { call, query: url.searchParams, method: init.method ?? 'GET', body };
    sent.push(request);
    const path = request.query.get('path');
    const answer = answers[`${request.method} ${call}`] ?? answers[`${call} ${path ?? ''}`] ?? answers[call];
    if (!answer) throw new TypeError(`no answer for ${call} ${path ?? ''}`);
    const { status = 200, body: json, text } = await answer(request);
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    return new Response(text ?? JSON.stringify(json), { status, headers: { 'content-type': type } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Back, and the query of the address. */
function Address() {
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <>
      <button type="button" onClick={() => void navigate(-1)}>
        浏览器的后退
      </button>
      <output data-testid="address">{new URLSearchParams(search).get('path')}</output>
    </>
  );
}

function open({ at = '/apps/5', kind = 'sftp' }: { at?: string; kind?: CloudAppKind } = {}) {
  const onEnded = vi.fn<(reason: EndReason) => void>();
  show(
    <>
      <FilesScreen session={openedOf(31, { kind })} notice={null} onEnded={onEnded} />
      <Address />
    </>,
    {},
    { at },
  );
  return { onEnded };
}

const bodies = (call: string) => sent.filter((each) => each.call === call).map(({ body }) => body);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const address = () => screen.getByTestId('address').textContent;
const grid = () => screen.getByRole('grid', { name: '文件列表' });
const key = (name: string, more: object = {}) => fireEvent.keyDown(grid(), { key: name, ...more });

test('what the login needs is asked for, and refused credentials again', async () => {
  const login = [
    problem(409, 'login.credentials-required', { wanted: ['username', 'password'] }),
    problem(403, 'target.login-failed'),
    { body: { path: '/home' } },
  ];
  answers['connect'] = () => login.shift() ?? {};
  open();
  fireEvent.change(await screen.findByLabelText('用户名'), { target: { value: 'li' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'wrong' } });
  press('登录');
  await screen.findByText('目标拒绝了登录，请检查后重新输入。');
  fireEvent.change(screen.getByLabelText('用户名'), { target: { value: 'li' } });
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: 'right' } });
  press('登录');
  await screen.findByRole('button', { name: '说明.txt' });
  expect(bodies('connect')).toEqual([{}, { username: 'li', password: 'wrong' }, { username: 'li', password: 'right' }]);
});

test('an unknown host key is shown and trusted, a changed one is shown with the known one', async () => {
  answers['connect'] = ({ body }) =>
    body !== null && typeof body === 'object' && 'trust_host_key' in body
      ? problem(409, 'target.host-key-changed', { fingerprint: 'SHA256:new', known_fingerprint: 'SHA256:old' })
      : problem(409, 'login.host-key-unknown', { fingerprint: 'SHA256:abc' });
  open();
  await screen.findByText('SHA256:abc');
  press('信任并连接');
  await screen.findByText('SHA256:old');
  screen.getByText('SHA256:new');
  expect(bodies('connect')).toEqual([{}, { trust_host_key: 'SHA256:abc' }]);
  expect(screen.queryByRole('button', { name: '信任并连接' })).toBeNull();
});

test('the certificate of a WebDAV server is called one, and no command of SSH is shown', async () => {
  answers['connect'] = () => problem(409, 'login.host-key-unknown', { fingerprint: 'SHA256:abc' });
  open({ kind: 'webdav' });
  const panel = within(await screen.findByRole('region', { name: '请核对目标的证书指纹' }));
  panel.getByText('SHA256:abc');
  expect(panel.queryByText(/ssh-keygen/)).toBeNull();
  answers['connect'] = () => ({ body: { path: '/home' } });
  press('信任并连接');
  await screen.findByRole('button', { name: '照片' });
  expect(bodies('connect')).toEqual([{}, { trust_host_key: 'SHA256:abc' }]);
});

test('a folder stands in the address, and Back returns from it', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: '照片' }));
  await screen.findByRole('button', { name: '海.txt' });
  expect(address()).toBe('/home/照片');
  press('浏览器的后退');
  await screen.findByRole('button', { name: '说明.txt' });
  expect(address()).toBe('');
});

test('a folder of the address is opened; one that no target can have is not asked for', async () => {
  open({ at: '/apps/5?path=/home/照片' });
  await screen.findByRole('button', { name: '海.txt' });
  cleanup();
  sent = [];
  open({ at: '/apps/5?path=/home/../etc' });
  await screen.findByText('文件夹打不开');
  expect(sent.map(({ call }) => call)).toEqual(['connect']);
  press('回到起始文件夹');
  await screen.findByRole('button', { name: '说明.txt' });
});

test('the keyboard opens, leaves and selects; a name that cannot be used is only shown', async () => {
  answers['list /home'] = () =>
    list(entry('照片', { type: 'folder' }), entry('b\uFFFD', { usable: false }), entry('说明.txt'));
  open();
  await screen.findByText('名称无法使用');
  key('ArrowDown');
  key('ArrowDown', { shiftKey: true });
  screen.getByText('已选 2 项，3 B');
  expect(screen.queryByRole('button', { name: /b.*更多操作/ })).toBeNull();
  key('Escape');
  key('Home');
  key('Enter');
  await screen.findByRole('button', { name: '海.txt' });
  key('Backspace');
  await screen.findByRole('button', { name: '说明.txt' });
  const current = grid().getAttribute('aria-activedescendant');
  expect(document.querySelector(`[id="${current}"]`)?.textContent).toContain('照片');
});

test('F2 renames, and a name that exists is said in the dialog', async () => {
  let isTaken = true;
  answers['move'] = () => (isTaken ? problem(409, 'files.exists') : { body: { done: 1, failed_count: 0, failed: [] } });
  open();
  await screen.findByRole('button', { name: '说明.txt' });
  key('End');
  key('F2');
  const dialog = within(await screen.findByRole('dialog', { name: '重命名 说明.txt' }));
  fireEvent.change(dialog.getByLabelText('名称'), { target: { value: 'a/b' } });
  fireEvent.click(dialog.getByRole('button', { name: '重命名' }));
  await dialog.findByText(/不能含有/);
  fireEvent.change(dialog.getByLabelText('名称'), { target: { value: '新.txt' } });
  fireEvent.click(dialog.getByRole('button', { name: '重命名' }));
  await dialog.findByText('原因 files.exists');
  isTaken = false;
  fireEvent.click(dialog.getByRole('button', { name: '重命名' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies('move').at(-1)).toEqual({ from: '/home/说明.txt', to: '/home/新.txt', overwrite: false });
});

test('a delete is done only after the list of what it takes', async () => {
  const summary = { files: 2, folders: 1, others: 0, bytes: 2_048, unreadable: 0, is_complete: true };
  answers['tree_summary'] = () => ({ body: summary });
  answers['delete'] = () => ({
    body: { done: 2, failed_count: 1, failed: [{ path: '/home/照片', code: 'files.forbidden', detail: '没有权限' }] },
  });
  open();
  await screen.findByRole('button', { name: '说明.txt' });
  key('a', { ctrlKey: true });
  key('Delete');
  await screen.findByText('共 1 个文件夹、2 个文件（2.0 KB）');
  expect(bodies('delete')).toEqual([]);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: '删除' }));
  await screen.findByText('没有权限');
  expect(bodies('delete')).toEqual([{ paths: ['/home/照片', '/home/说明.txt'] }]);
});

test('a copy that takes long says so, and its failure is shown though the answer had begun', async () => {
  let finish: (failure: object) => void = () => {};
  const finished = new Promise<object>((resolve) => (finish = resolve));
  answers['copy'] = async () => ({ text: ` \n ${JSON.stringify(await finished)}` });
  open();
  await screen.findByRole('button', { name: '说明.txt' });
  key('End');
  press('复制到…');
  const dialog = within(await screen.findByRole('dialog', { name: '复制 1 项到' }));
  fireEvent.click(await dialog.findByRole('button', { name: '复制到这里' }));
  await dialog.findByText(/^正在复制…/);
  finish(problem(504, 'target.timed-out').body);
  await dialog.findByText('原因 target.timed-out');
  expect(dialog.queryByText(/^正在复制…/)).toBeNull();
});

test('a text that somebody else has changed is not overwritten unless the user chooses so', async () => {
  let modifiedAt = '2026-11-01T00:00:00.000Z';
  answers['list /home'] = () => list(entry('说明.txt', { modified_at: modifiedAt }));
  answers['GET content'] = () => ({ text: '一\r\n二' });
  answers['PUT content'] = ({ query }) =>
    query.get('if_modified') === modifiedAt ? { body: { size: 1, modified_at: null } } : problem(409, 'files.changed');
  open();
  fireEvent.click(await screen.findByRole('button', { name: '说明.txt' }));
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: '文件内容' });
  expect(field.value).toBe('一\n二');
  fireEvent.change(field, { target: { value: '一\n三' } });
  modifiedAt = '2026-11-02T00:00:00.000Z';
  press('保存');
  await screen.findByText('打开之后，文件已被别人改过');
  expect(field.value).toBe('一\n三');
  press('用我的覆盖');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saved = sent.filter(({ method }) => method === 'PUT');
  expect(saved.map(({ body }) => new TextDecoder().decode(body as Uint8Array))).toEqual(['一\r\n三', '一\r\n三']);
});

test('a text cannot be closed while it is being saved, so that a failure is read', async () => {
  const answered = Promise.withResolvers<ReturnType<typeof problem>>();
  answers['list /home'] = () => list(entry('说明.txt'));
  answers['GET content'] = () => ({ text: '一' });
  answers['PUT content'] = () => answered.promise;
  open();
  fireEvent.click(await screen.findByRole('button', { name: '说明.txt' }));
  fireEvent.change(await screen.findByRole('textbox', { name: '文件内容' }), { target: { value: '二' } });
  press('保存');
  const close = () => screen.getByRole<HTMLButtonElement>('button', { name: '关闭' });
  await waitFor(() => expect(close().disabled).toBe(true));
  answered.resolve(problem(503, 'cloud-app.device-offline'));
  await screen.findByText('原因 cloud-app.device-offline');
  expect(close().disabled).toBe(false);
});

test('a login that the gateway has lost is asked for again, and the folder is read after it', async () => {
  let isLost = false;
  const folder = answers['list /home'];
  const refused = problem(409, 'login.credentials-required', { wanted: ['password'] });
  answers['list /home'] = (request) => (isLost ? refused : (folder?.(request) ?? {}));
  answers['connect'] = ({ body }) => {
    if (isLost && JSON.stringify(body) === '{}') return refused;
    isLost = false;
    return { body: { path: '/home' } };
  };
  open();
  await screen.findByRole('button', { name: '说明.txt' });
  isLost = true;
  press('刷新');
  fireEvent.change(await screen.findByLabelText('密码'), { target: { value: 'x' } });
  press('登录');
  await waitFor(() => expect(screen.queryByLabelText('密码')).toBeNull());
  await screen.findByRole('button', { name: '说明.txt' });
  expect(screen.queryByText('文件夹打不开')).toBeNull();
});

test('only the rows in sight are in the document', async () => {
  answers['list /home'] = () => list(...Array.from({ length: 10_000 }, (_, index) => entry(`文件 ${index}`)));
  open();
  await screen.findByRole('button', { name: '文件 0' });
  screen.getByText('10000 项');
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
  expect(grid().getAttribute('aria-rowcount')).toBe('10001');
});

test('the end of the session is reported with its reason, a short cut is not', async () => {
  const { onEnded } = open();
  await screen.findByRole('button', { name: '说明.txt' });
  act(() => gateway.latest().open());
  act(() => gateway.latest().message({ type: 'idle_warning', seconds: 60 }));
  press('继续使用');
  expect(gateway.latest().messages()).toEqual([{ type: 'stay' }]);
  act(() => gateway.latest().cut());
  expect(onEnded).not.toHaveBeenCalled();
  await waitFor(() => expect(gateway.sockets).toHaveLength(2));
  act(() => gateway.latest().message({ type: 'failed', reason: 'right-ended' }));
  expect(onEnded.mock.calls).toEqual([['right-ended']]);
});

test('what is dropped before the login waits for it, and the page does not close meanwhile', async () => {
  const login = [problem(409, 'login.credentials-required', { wanted: ['password'] }), { body: { path: '/home' } }];
  answers['connect'] = () => login.shift() ?? {};
  answers['uploads/'] = () => ({ status: 201, body: {} });
  open();
  const field = await screen.findByLabelText('密码');
  const file = new File(['x'], '海.txt');
  const items = [
    { webkitGetAsEntry: () => ({ isFile: true, name: file.name, file: (done: (of: File) => void) => done(file) }) },
  ];
  fireEvent.drop(grid(), { dataTransfer: { types: ['Files'], items } });
  await screen.findByText('1 个文件在等待，登录目标后开始上传');
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  fireEvent.change(field, { target: { value: 'x' } });
  press('登录');
  await screen.findByText('上传完成 1 项');
  expect(sent.filter(({ call }) => call === 'uploads/')).toHaveLength(1);
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});
