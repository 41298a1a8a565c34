import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ScreenFromGateway } from '@tongtu/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openedOf } from '../../../testing/app-fixtures.ts';
import { type FakeGateway, fakeGateway } from '../../../testing/fake-socket.ts';
import { show } from '../../../testing/show.tsx';
import { ThemeModeProvider } from '../../../ui/theme/theme-mode.tsx';
import type { EndReason } from '../app-screen.ts';
import { DesktopScreen } from './desktop-screen.tsx';
import type { DesktopEvents, DesktopInput, DesktopProtocol } from './remote-desktop.ts';

let gateway: FakeGateway;
let calls: unknown[][];
let inputs: DesktopInput[];
let desktop: DesktopEvents;

beforeEach(() => {
  gateway = fakeGateway();
  calls = [];
  inputs = [];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function protocolOf(wantedFirst?: 'password'): DesktopProtocol {
  const call =
    (name: string) =>
    (...given: unknown[]) =>
      void calls.push([name, ...given]);
  return {
    scalings: ['fit', 'actual'],
    wantedFirst: () => wantedFirst && [wantedFirst],
    connect(input, events) {
      inputs.push(input);
      desktop = events;
      return {
        logIn: call('logIn'),
        handleKey(event) {
          calls.push(['key', event.type, event.code]);
          return true;
        },
        pressKeys: call('pressKeys'),
        typeText: call('typeText'),
        sendClipboard(text) {
          calls.push(['sendClipboard', text]);
          return !text.includes('不');
        },
        setScaling: call('setScaling'),
        setViewOnly: call('setViewOnly'),
        releaseKeys: () => {},
        close: call('close'),
      };
    },
  };
}

function open(protocol = protocolOf()) {
  const onEnded = vi.fn<(reason: EndReason) => void>();
  const session = openedOf(31, { kind: 'vnc', options: { ...openedOf(1).app.options, username: 'lilei' } });
  show(
    <ThemeModeProvider>
      <DesktopScreen session={session} notice={null} onEnded={onEnded} protocol={protocol} />
    </ThemeModeProvider>,
    {},
  );
  act(() => gateway.latest().open());
  return { onEnded };
}

const say = (message: ScreenFromGateway) =>
  act(() => void gateway.latest().dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '桌面输入' });
async function logIn(password: string) {
  fireEvent.change(screen.getByLabelText('密码'), { target: { value: password } });
  const before = calls.length + inputs.length;
  press('登录');
  await waitFor(() => expect(calls.length + inputs.length).toBeGreaterThan(before));
}

test('the desktop connects once the control connection is open', () => {
  open();
  expect(gateway.latest().url).toBe('ws://localhost:3000/apps/31/control');
  expect(inputs.map(({ url }) => url)).toEqual(['ws://localhost:3000/apps/31/screen']);
  screen.getByText('正在连接目标…');
  act(() => desktop.onConnected());
  expect(screen.queryByText('正在连接目标…')).toBeNull();
});

test('what the target asks for is sent once; a refusal asks again, and connects anew', async () => {
  const { onEnded } = open();
  act(() => desktop.onCredentialsWanted(['password']));
  await logIn('wrong');
  expect(calls).toEqual([['logIn', { username: 'lilei', password: 'wrong' }]]);
  act(() => desktop.onRefused(['password']));
  say({ type: 'failed', reason: 'closed' }); // by the target, after its refusal
  screen.getByText('目标拒绝了登录，请检查后重新输入。');
  expect(screen.getByLabelText<HTMLInputElement>('密码').value).toBe('');
  await logIn('right');
  expect(inputs[1]?.credentials).toEqual({ username: 'lilei', password: 'right' });
  expect(onEnded).not.toHaveBeenCalled();
});

test('a protocol that needs the password first asks before it connects', async () => {
  open(protocolOf('password'));
  expect(inputs).toEqual([]);
  await logIn('secret');
  expect(inputs[0]?.credentials).toEqual({ username: 'lilei', password: 'secret' });
});

test.each([
  ['before the desktop closes', true],
  ['after it', false],
])('the reason is shown that the gateway gives %s', (_when, isBefore) => {
  const { onEnded } = open();
  act(() => desktop.onConnected());
  const steps = [() => say({ type: 'failed', reason: 'refused' }), () => act(() => desktop.onClosed())];
  for (const step of isBefore ? steps : steps.toReversed()) step();
  expect(onEnded.mock.calls).toEqual([['refused']]);
});

test.each([
  ['before the desktop closes', true],
  ['after it', false],
])(
  'a login that the target refuses by hanging up, as the gateway says %s, is asked for again',
  async (_when, isBefore) => {
    const { onEnded } = open(protocolOf('password'));
    await logIn('wrong');
    const steps = [() => say({ type: 'failed', reason: 'login-failed' }), () => act(() => desktop.onClosed())];
    for (const step of isBefore ? steps : steps.toReversed()) step();
    screen.getByText('目标拒绝了登录，请检查后重新输入。');
    fireEvent.change(screen.getByLabelText('用户名'), { target: { value: 'hanmeimei' } });
    await logIn('right');
    expect(inputs[1]?.credentials).toEqual({ username: 'hanmeimei', password: 'right' });
    expect(onEnded).not.toHaveBeenCalled();
  },
);

test('a desktop that closes without a reason was cut off', () => {
  vi.useFakeTimers();
  const { onEnded } = open();
  act(() => desktop.onClosed());
  expect(onEnded).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(3_000));
  expect(onEnded.mock.calls).toEqual([['disconnected']]);
});

test('a desktop that this browser cannot run says so at once', () => {
  const { onEnded } = open();
  act(() => desktop.onClosed('browser-too-old'));
  expect(onEnded.mock.calls).toEqual([['browser-too-old']]);
});

test.each<[string, () => void, EndReason]>([
  ['the session ends', () => say({ type: 'ended', reason: 'right-ended' }), 'right-ended'],
  ['the connection is cut', () => act(() => gateway.latest().cut()), 'disconnected'],
])('when %s the desktop closes, also while it asks for a password', (_what, end, reason) => {
  const { onEnded } = open();
  act(() => desktop.onCredentialsWanted(['password']));
  end();
  expect(onEnded.mock.calls).toEqual([[reason]]);
  expect(calls).toEqual([['close']]);
  expect(screen.queryByLabelText('密码')).toBeNull();
});

test('keys go to the desktop, and what an input method composes goes as text, once', () => {
  open();
  act(() => desktop.onConnected());
  fireEvent.keyDown(field(), { key: 'a', code: 'KeyA' });
  fireEvent.keyUp(field(), { key: 'a', code: 'KeyA' });
  fireEvent.compositionStart(field());
  fireEvent.keyDown(field(), { key: 'Process', code: 'KeyN', keyCode: 229 });
  field().value = '你好';
  act(() => void field().dispatchEvent(new InputEvent('input', { data: '你好', isComposing: true })));
  act(() => void field().dispatchEvent(Object.assign(new CompositionEvent('compositionend'), { data: '你好' })));
  expect(calls).toEqual([
    ['key', 'keydown', 'KeyA'],
    ['key', 'keyup', 'KeyA'],
    ['typeText', '你好'],
  ]);
  expect(field().value).toBe('');
});

test('what browsers report again as input after the end of a composition is not typed twice', () => {
  open();
  act(() => desktop.onConnected());
  for (const inputType of ['insertCompositionText', 'insertFromComposition']) {
    calls = [];
    fireEvent.compositionStart(field());
    act(() => void field().dispatchEvent(Object.assign(new CompositionEvent('compositionend'), { data: '你好' })));
    field().value = '你好';
    act(() => void field().dispatchEvent(new InputEvent('input', { inputType, data: '你好' })));
    expect(calls).toEqual([['typeText', '你好']]);
    expect(field().value).toBe('');
  }
});

test('a press of the mouse takes the keys to the desktop also where a finger comes first, a tap does not', () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...{ media: query, matches: query === '(pointer: coarse)' },
    ...{ addEventListener: () => {}, removeEventListener: () => {} },
  }));
  open();
  const box = screen.getByRole('application', { name: '远程桌面' });
  fireEvent.pointerDown(box, { pointerType: 'touch' });
  expect(document.activeElement).not.toBe(field());
  fireEvent.pointerDown(box, { pointerType: 'mouse' });
  expect(document.activeElement).toBe(field());
});

test('the keyboard of a phone, which names no keys, types, deletes and breaks lines', () => {
  open();
  act(() => desktop.onConnected());
  fireEvent.keyDown(field(), { key: 'Unidentified', keyCode: 229 });
  const type = (inputType: string, data?: string) =>
    act(() => void field().dispatchEvent(new InputEvent('input', { inputType, ...(data && { data }) })));
  type('insertText', 'a');
  type('deleteContentBackward');
  type('insertLineBreak');
  expect(calls).toEqual([
    ['typeText', 'a'],
    ['pressKeys', ['Backspace']],
    ['pressKeys', ['Enter']],
  ]);
});

test('special keys, scaling and looking only are chosen in the bar', () => {
  open();
  act(() => desktop.onConnected());
  press('发送特殊按键');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Ctrl + Alt + Del' }));
  press('画面大小');
  fireEvent.click(screen.getByRole('menuitemradio', { name: '原始大小' }));
  press('只看不操作');
  expect(calls).toEqual([
    ['pressKeys', ['ControlLeft', 'AltLeft', 'Delete']],
    ['setScaling', 'actual'],
    ['setViewOnly', true],
  ]);
});

test('text that the target’s clipboard cannot hold is not said to be there, and can be typed instead', () => {
  open();
  act(() => desktop.onConnected());
  press('剪贴板');
  const panel = within(screen.getByRole('region', { name: '剪贴板' }));
  fireEvent.change(panel.getByLabelText('发送到桌面的剪贴板'), { target: { value: '放不下' } });
  fireEvent.click(panel.getByRole('button', { name: /^发\s?送$/ }));
  panel.getByText(/^没有放进/);
  expect(screen.queryByText('已放进桌面的剪贴板')).toBeNull();
  fireEvent.click(panel.getByRole('button', { name: '逐字输入' }));
  expect(calls.at(-1)).toEqual(['typeText', '放不下']);
});

test('text for a target that takes keys alone is not lost without a word', async () => {
  open();
  act(() => desktop.onConnected());
  const compose = (data: string) =>
    act(() => void field().dispatchEvent(Object.assign(new CompositionEvent('compositionend'), { data })));
  compose('你');
  expect(calls.at(-1)).toEqual(['typeText', '你']);
  say({ type: 'no_text_input', certainty: 'doubtful' });
  compose('abc');
  expect(screen.queryByText(/如果刚打的字没有出现/)).toBeNull();
  compose('也许');
  expect(calls.at(-1)).toEqual(['typeText', '也许']);
  await screen.findByText(/如果刚打的字没有出现/);
  say({ type: 'no_text_input', certainty: 'certain' });
  compose('好');
  await screen.findByText(/只接受按键/);
  expect(calls.at(-1)).toEqual(['typeText', '也许']);
});

test('neither clipboard is written without a press of its button', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  vi.stubGlobal('isSecureContext', true);
  open();
  act(() => desktop.onConnected());
  act(() => desktop.onClipboard('从桌面来'));
  expect(copied).not.toHaveBeenCalled();
  press('剪贴板');
  const panel = within(screen.getByRole('region', { name: '剪贴板' }));
  expect(panel.getByLabelText<HTMLTextAreaElement>('桌面上复制的文字').value).toBe('从桌面来');
  press('复制到本机');
  await waitFor(() => expect(copied).toHaveBeenCalledExactlyOnceWith('从桌面来'));
  fireEvent.change(panel.getByLabelText('发送到桌面的剪贴板'), { target: { value: '到桌面去' } });
  expect(calls).toEqual([]);
  fireEvent.click(panel.getByRole('button', { name: /^发\s?送$/ }));
  expect(calls).toEqual([['sendClipboard', '到桌面去']]);
});

test('the warning before the idle end goes when the user stays', () => {
  open();
  act(() => desktop.onConnected());
  say({ type: 'idle_warning', seconds: 60 });
  expect(screen.getByRole('alert').textContent).toContain('60 秒');
  press('继续使用');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(gateway.latest().messages()).toEqual([{ type: 'stay' }]);
});

test('leaving the page closes both connections without a complaint', () => {
  const { onEnded } = open();
  const socket = gateway.latest();
  cleanup();
  expect(calls).toContainEqual(['close']);
  expect(socket.readyState).toBe(WebSocket.CLOSED);
  expect(onEnded).not.toHaveBeenCalled();
});
