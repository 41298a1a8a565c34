import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CloudAppOpened, TerminalFromGateway } from '@tongtu/contract';
import { TerminalFromBrowser } from '@tongtu/contract';
import { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openedOf } from '../../../testing/app-fixtures.ts';
import { type FakeGateway, fakeGateway } from '../../../testing/fake-socket.ts';
import { show } from '../../../testing/show.tsx';
import { ThemeModeProvider, useThemeMode } from '../../../ui/theme/theme-mode.tsx';
import type { EndReason } from '../app-screen.ts';
import { TerminalScreen } from './terminal-screen.tsx';
import { matchColors } from './terminal-theme.ts';

let gateway: FakeGateway;

beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function ThemeSwitch() {
  const { setMode } = useThemeMode();
  return <button onClick={() => setMode('dark')}>深色</button>;
}

function open(session: CloudAppOpened = openedOf(31)) {
  const onEnded = vi.fn<(reason: EndReason) => void>();
  show(
    <ThemeModeProvider>
      <ThemeSwitch />
      <TerminalScreen session={session} notice={null} onEnded={onEnded} />
    </ThemeModeProvider>,
    {},
  );
  act(() => gateway.latest().open());
  return { onEnded };
}

const send = (message: TerminalFromGateway) => act(() => gateway.latest().message(message));
const output = (text: string) => act(() => gateway.latest().output(text));
const input = () => screen.getByRole('textbox', { name: '终端输入' });
/** Types as the keyboard of a phone does. */
const type = (letter: string) =>
  act(() => void input().dispatchEvent(new InputEvent('input', { data: letter, inputType: 'insertText' })));
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** The messages after the first `start`, each as the gateway would accept it. */
function answers(): unknown[] {
  const messages = gateway.latest().messages();
  for (const message of messages) TerminalFromBrowser.parse(message);
  return messages.slice(1);
}

test('missing credentials are asked for and sent once; refused ones are asked for again', async () => {
  open();
  send({ type: 'credentials', refused: false, wanted: ['username', 'password'] });
  fill('用户名', 'root');
  fill('密码', 'se cret');
  press('登录');
  await waitFor(() => expect(answers()).toHaveLength(1));
  expect(answers()).toEqual([expect.objectContaining({ type: 'start', username: 'root', password: 'se cret' })]);
  await screen.findByText('正在连接目标…');

  send({ type: 'credentials', refused: true, wanted: ['password'] });
  screen.getByText('目标拒绝了登录，请检查后重新输入。');
  expect(screen.getByLabelText<HTMLInputElement>('密码').value).toBe('');
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test('questions of the target are shown as its own, and answered in their order', async () => {
  open();
  send({
    type: 'prompts',
    title: '',
    text: '请打开身份\u202E验证器',
    prompts: [
      { text: 'Verification code: ', echo: true },
      { text: 'Password:', echo: false },
    ],
  });
  screen.getByText('请打开身份验证器');
  fill('Verification code:', '123456');
  fill('Password:', 'x');
  expect(screen.getByLabelText<HTMLInputElement>('Password:').type).toBe('password');
  press('提交');
  await waitFor(() => expect(answers()).toEqual([{ type: 'answers', answers: ['123456', 'x'] }]));
});

test('a request without questions is answered with none', async () => {
  open();
  send({ type: 'prompts', title: '', text: '', prompts: [] });
  press('提交');
  await waitFor(() => expect(answers()).toEqual([{ type: 'answers', answers: [] }]));
});

test.each([
  ['信任并连接', true],
  ['不信任', false],
])('the fingerprint of the first contact is shown, and the answer is %s', async (word, trusted) => {
  open();
  send({ type: 'host_key', fingerprint: 'SHA256:abc' });
  screen.getByText('SHA256:abc');
  press(word);
  await waitFor(() => expect(answers()).toEqual([{ type: 'trust_host_key', trusted }]));
});

test.each([
  ['with its reason', () => gateway.latest().message({ type: 'failed', reason: 'host-key-changed' })],
  ['by a cut', () => gateway.latest().cut()],
])('a changed host key ends the session %s, and both fingerprints stay in sight', async (_how, end) => {
  const { onEnded } = open();
  act(() => {
    gateway.latest().message({ type: 'host_key_changed', known: 'SHA256:old', fingerprint: 'SHA256:new' });
    end();
  });
  screen.getByText('SHA256:old');
  screen.getByText('SHA256:new');
  expect(screen.queryByRole('button', { name: '信任并连接' })).toBeNull();
  expect(onEnded.mock.calls).toEqual([['host-key-changed']]);
});

test('a target that is too old ends the session, and the algorithms of both sides stay in sight', async () => {
  const { onEnded } = open();
  const names = { theirs: ['diffie-hellman-group1-sha1'], ours: ['curve25519-sha256', 'ecdh-sha2-nistp256'] };
  send({ type: 'no_common_algorithm', part: 'kex', ...names });
  send({ type: 'failed', reason: 'no-common-algorithm' });
  screen.getByText('diffie-hellman-group1-sha1');
  screen.getByText('curve25519-sha256, ecdh-sha2-nistp256');
  screen.getByText(/打开“允许过时的算法”/);
  expect(onEnded.mock.calls).toEqual([['no-common-algorithm']]);
});

test('what is typed goes to the target in UTF-8, and so does what an input method composes', async () => {
  open();
  send({ type: 'connected' });
  type('l');
  fireEvent.compositionStart(input());
  fireEvent.compositionUpdate(input(), { data: '你好' });
  (input() as HTMLTextAreaElement).value += '你好';
  fireEvent.compositionEnd(input(), { data: '你好' });
  await waitFor(() => expect(gateway.latest().typed()).toBe('l你好'));
});

test('output is reported once it is drawn', async () => {
  open();
  send({ type: 'connected' });
  output('x'.repeat(40_000));
  output('你好');
  const drawn = () => answers().flatMap((message) => (message as { type: string; bytes?: number }).bytes ?? []); // of type `drawn`
  await waitFor(() => expect(drawn().reduce((sum, bytes) => sum + bytes, 0)).toBe(40_006));
});

test('the keys of the touch bar are sent, Ctrl and Alt with the next one', async () => {
  open();
  send({ type: 'connected' });
  press('Esc');
  press('Tab');
  press('竖线');
  press('上');
  press('Ctrl');
  expect(screen.getByRole('button', { name: 'Ctrl' }).getAttribute('aria-pressed')).toBe('true');
  type('c');
  expect(screen.getByRole('button', { name: 'Ctrl' }).getAttribute('aria-pressed')).toBe('false');
  type('c');
  press('Alt');
  press('左');
  expect(gateway.latest().typed()).toBe('\u001B\t|\u001B[A\u0003c\u001B[1;3D');
});

test('cursor keys follow the mode that the program has chosen', async () => {
  open();
  send({ type: 'connected' });
  output('\u001B[?1h');
  await waitFor(() => expect(answers()).toHaveLength(1));
  press('下');
  expect(gateway.latest().typed()).toBe('\u001BOB');
});

test('the warning before the idle end goes when the user stays', async () => {
  open();
  send({ type: 'connected' });
  send({ type: 'idle_warning', seconds: 60 });
  expect(screen.getByRole('alert').textContent).toContain('60 秒');
  press('继续使用');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(answers()).toEqual([{ type: 'stay' }]);
});

test('the target cannot set the title of the page', async () => {
  document.title = '通途 - 群晖终端';
  open();
  send({ type: 'connected' });
  output('\u001B]0;伪造的标题\u0007\u001B]2;伪造\u0007');
  await waitFor(() => expect(answers()).toHaveLength(1));
  expect(document.title).toBe('通途 - 群晖终端');
  expect(gateway.latest().typed()).toBe('');
});

test('the target cannot read its title back, nor the clipboard', async () => {
  open();
  send({ type: 'connected' });
  output('\u001B]0;id\u0007\u001B[21t\u001B]52;c;?\u0007');
  await waitFor(() => expect(answers()).toHaveLength(1));
  expect(gateway.latest().typed()).toBe('');
});

test('the clipboard is set only after the user has seen the text and allowed it', async () => {
  vi.stubGlobal('isSecureContext', true);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  open();
  send({ type: 'connected' });
  output(`\u001B]52;c;${btoa('rm -rf /')}\u0007`);
  await screen.findByText('rm -rf /');
  expect(copied).not.toHaveBeenCalled();
  press('拒绝');
  expect(screen.queryByText('rm -rf /')).toBeNull();
  expect(copied).not.toHaveBeenCalled();
  output(`\u001B]52;c;${btoa('ls')}\u0007`);
  await screen.findByText('ls');
  press('放进剪贴板');
  await waitFor(() => expect(copied).toHaveBeenCalledExactlyOnceWith('ls'));
});

const refuseClipboard = () =>
  vi.spyOn(navigator.clipboard, 'readText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));

test('pasted text reaches the target from the clipboard', async () => {
  vi.spyOn(navigator.clipboard, 'readText').mockResolvedValue('你好');
  open();
  send({ type: 'connected' });
  fireEvent.click(screen.getByRole('button', { name: '更多' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '粘贴' }));
  await waitFor(() => expect(gateway.latest().typed()).toBe('你好'));
});

test('pasted text reaches the target, by a dialog where the browser does not allow more', async () => {
  refuseClipboard();
  open();
  send({ type: 'connected' });
  fireEvent.click(screen.getByRole('button', { name: '更多' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '粘贴' }));
  const dialog = within(await screen.findByRole('dialog', { name: '粘贴到终端' }));
  fireEvent.change(dialog.getByLabelText('要输入到终端的内容'), { target: { value: 'echo 你好\nls' } });
  fireEvent.click(dialog.getByRole('button', { name: '输入到终端' }));
  expect(gateway.latest().typed()).toBe('echo 你好\rls');
});

test('what the browser pastes goes once to the target, and cannot leave a bracketed paste', async () => {
  open();
  send({ type: 'connected' });
  output('\u001B[?2004h');
  await waitFor(() => expect(answers()).toHaveLength(1));
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'a\tb\u001B[201~\u0003\nrm');
  act(() => void input().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })));
  expect(gateway.latest().typed()).toBe('\u001B[200~a\tb[201~\rrm\u001B[201~');
});

test('a long paste asks first, and Ctrl+C stops it', async () => {
  const text = `${'x'.repeat(99)}\n`.repeat(2_000);
  vi.spyOn(navigator.clipboard, 'readText').mockResolvedValue(text);
  open();
  send({ type: 'connected' });
  fireEvent.click(screen.getByRole('button', { name: '更多' }));
  fireEvent.click(screen.getByRole('menuitem', { name: '粘贴' }));
  const dialog = within(await screen.findByRole('dialog', { name: '粘贴这么长的内容？' }));
  dialog.getByText(/共 195 KB、2001 行/);
  dialog.getByText(/每一行都会像按了回车一样/);
  expect(gateway.latest().typed()).toBe('');
  fireEvent.click(dialog.getByRole('button', { name: /^粘\s?贴$/ }));
  expect(gateway.latest().typed()).toBe(text.slice(0, 65_536).replaceAll('\n', '\r'));
  await screen.findByText('正在粘贴：64.0 KB / 195 KB');
  press('Ctrl');
  type('c');
  expect(gateway.latest().typed().at(-1)).toBe('\u0003');
  await screen.findByText('已停止粘贴，还有 131 KB 没有发送');
  expect(screen.queryByRole('group', { name: '粘贴进度' })).toBeNull();
});

test('Ctrl+Shift+C copies and does not reach the target', async () => {
  open();
  send({ type: 'connected' });
  fireEvent.keyDown(input(), { key: 'C', code: 'KeyC', keyCode: 67, ctrlKey: true, shiftKey: true });
  await screen.findByText('请先选中要复制的文字');
  expect(gateway.latest().typed()).toBe('');
});

test('the output is searched, and Escape returns to the terminal', async () => {
  open();
  send({ type: 'connected' });
  output('alpha beta alpha\r\n');
  await waitFor(() => expect(answers()).toHaveLength(1));
  fireEvent.keyDown(input(), { key: 'F', code: 'KeyF', keyCode: 70, ctrlKey: true, shiftKey: true });
  const field = screen.getByRole('textbox', { name: '在输出里查找' });
  fireEvent.change(field, { target: { value: 'alpha' } });
  await screen.findByText('2/2'); // the latest one
  const marked = vi.spyOn(Terminal.prototype, 'registerDecoration');
  press('深色');
  const { match, active } = matchColors({ isDark: true });
  expect(marked.mock.calls.map(([mark]) => mark.backgroundColor)).toEqual([match, match, active]);
  screen.getByText('2/2');
  fireEvent.keyDown(field, { key: 'Enter' });
  await screen.findByText('1/2');
  fireEvent.change(field, { target: { value: 'gamma' } });
  await screen.findByText('没有找到');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.queryByRole('textbox', { name: '在输出里查找' })).toBeNull();
  expect(document.activeElement).toBe(input());
});

test('the size of the text is kept in the browser', () => {
  open();
  press('放大文字');
  press('放大文字');
  press('缩小文字');
  expect(localStorage.getItem('tongtu.terminal-font-size')).toBe('15');
});

test('closing the page asks first while a program runs, and not at a prompt', async () => {
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  open();
  expect(asks()).toBe(false);
  send({ type: 'connected' });
  output('root@nas:~# ');
  await waitFor(() => expect(answers()).toHaveLength(1));
  expect(asks()).toBe(false);
  fireEvent.keyDown(input(), { key: 'Enter', code: 'Enter', keyCode: 13 });
  output('\r\ncompiling\r\n');
  await waitFor(() => expect(answers()).toHaveLength(2));
  expect(asks()).toBe(true);
  output('root@nas:~# ');
  await waitFor(() => expect(answers()).toHaveLength(3));
  expect(asks()).toBe(false);
  cleanup();
  expect(asks()).toBe(false);
});

test('leaving the page closes the connection without a complaint', () => {
  const { onEnded } = open();
  const socket = gateway.latest();
  cleanup();
  socket.cut();
  expect(socket.readyState).toBe(WebSocket.CLOSED);
  expect(onEnded).not.toHaveBeenCalled();
});

test('what the terminal answers to the output of before does not reach the target', async () => {
  open();
  // The program had asked for the place of the cursor, and set the clipboard.
  const before = '\u001B[6n\u001B]52;c;eA==\u0007$ ';
  send({ type: 'resumed', columns: 60, rows: 10, bytes: before.length });
  output(before);
  await screen.findByText('已回到仍在运行的会话');
  expect(screen.queryByText(/目标想把以下内容/)).toBeNull();
  expect(gateway.latest().typed()).toBe('');
  expect(answers()).toContainEqual(expect.objectContaining({ type: 'resize' }));
  type('l');
  await waitFor(() => expect(gateway.latest().typed()).toBe('l'));
});

test('another encoding counts for what comes and what is typed', async () => {
  open();
  send({ type: 'connected' });
  press('更多');
  fireEvent.click(await screen.findByRole('menuitemradio', { name: '编码：GB18030（含 GBK）' }));
  act(() => void input().dispatchEvent(new InputEvent('input', { data: '中', inputType: 'insertText' })));
  await waitFor(() => expect(gateway.latest().typedBytes()).toEqual([0xd6, 0xd0]));
});
