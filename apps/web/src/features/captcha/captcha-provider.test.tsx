import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Api, ApiError, ApiProvider } from '../../api/index.ts';
import { createDialogStack, type DialogStack } from '../../ui/dialog/dialog-stack.ts';
import { DialogStackProvider } from '../../ui/dialog/use-open-dialog.ts';
// Loaded here, so that no test waits for the chunk.
import './captcha-dialog.tsx';
import { CaptchaProvider } from './captcha-provider.tsx';
import { useCaptcha } from './use-captcha.tsx';

const image = 'data:image/png;base64,AA==';
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
let shown = 0;
let queries: unknown[];
let judge: (body: { key: string }) => unknown;
const onTicket = vi.fn<(ticket: string | undefined) => void>();
const onFailure = vi.fn<(error: unknown) => void>();
let isChunkAway = false;
/** Chunk and answer of the server have been received. */
let received: Promise<void>;
let dialogs: DialogStack;

async function load() {
  await received;
  if (isChunkAway) throw new TypeError('Failed to fetch dynamically imported module');
  return await import('./captcha-dialog.tsx');
}

/** The server's clock differs greatly from this machine's. */
const expires_at = '2001-01-01T00:02:00.000Z';

/** Each fetch returns a new challenge, as on the server. */
async function call(key: string, input: { query: unknown; body: { key: string } }): Promise<unknown> {
  if (key === 'GET /captcha/') {
    shown++;
    queries.push(input.query);
    return { type: 'click', key: `key-${shown}`, image, thumb: image, expires_at };
  }
  if (key === 'POST /captcha/') return judge(input.body);
  if (key === 'GET /api/verify/captcha/init/') {
    await received;
    return { required: true, type: 'click', key: 'chosen' };
  }
  return { mail_codes: true };
}

function Asker() {
  const captcha = useCaptcha('login');
  return (
    <>
      <button onClick={() => void captcha.solve().then(onTicket, onFailure)}>ask</button>
      <button onClick={() => void captcha.sendSolved(async () => undefined, undefined).then(onTicket)}>send</button>
    </>
  );
}

beforeEach(() => {
  vi.clearAllMocks();
  shown = 0;
  queries = [];
  isChunkAway = false;
  received = Promise.resolve();
  dialogs = createDialogStack(window);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={{ call } as unknown as Api}>
        <DialogStackProvider value={dialogs}>
          <CaptchaProvider load={load}>
            <Asker />
          </CaptchaProvider>
        </DialogStackProvider>
      </ApiProvider>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  dialogs.stop();
  vi.useRealTimers();
});

const ask = () => fireEvent.click(screen.getByText('ask'));
const refusal = (code: string) =>
  new ApiError({
    type: 'problem',
    status: 422,
    code,
    detail: '',
    fields: {},
    requestId: '',
    retryAfterSeconds: undefined,
  });

async function clickAndConfirm(): Promise<void> {
  fireEvent.click(await screen.findByRole('application'));
  fireEvent.click(screen.getByRole('button', { name: '确认' }));
}

test('a solved captcha returns its ticket and closes', async () => {
  judge = () => ({ ticket: 'ticket-1', expires_at: inMs(300_000) });
  ask();
  await clickAndConfirm();
  await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith('ticket-1');
  await expect.poll(() => screen.queryByRole('application')).toBeNull();
});

test('the server’s chosen challenge is shown first, and others after it', async () => {
  judge = () => Promise.reject(refusal('captcha.wrong'));
  fireEvent.click(screen.getByText('send'));
  await clickAndConfirm();
  await expect.poll(() => queries).toEqual([{ key: 'chosen' }, { purpose: 'login' }]);
});

test('closing the captcha returns no ticket', async () => {
  ask();
  await screen.findByRole('application');
  fireEvent.click(screen.getByRole('button', { name: '关闭' }));
  await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith(undefined);
});

test('a captcha closes without a ticket when another page is shown below it', async () => {
  ask();
  await screen.findByRole('application');
  window.location.hash = '#/login';
  act(() => dialogs.noteNavigation());
  await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith(undefined);
  expect(screen.queryByRole('application')).toBeNull();
});

test.each(['ask', 'send'])(
  'a captcha that arrives when another page is shown is not shown there (%s)',
  async (button) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    received = promise;
    fireEvent.click(screen.getByRole('button', { name: button }));
    window.location.hash = `#/devices?after=${button}`;
    resolve();
    await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith(undefined);
    expect(shown).toBe(0);
  },
);

test('a wrong answer is reported and replaced by a new challenge', async () => {
  judge = () => Promise.reject(refusal('captcha.wrong'));
  ask();
  await clickAndConfirm();
  await screen.findByText('验证未通过，已换一张新的图片');
  await expect.poll(() => shown).toBe(2);
  expect(onTicket).not.toHaveBeenCalled();
});

test('an answer that did not reach the server can be sent again', async () => {
  const keys: string[] = [];
  judge = ({ key }) => {
    keys.push(key);
    return keys.length === 1
      ? Promise.reject(new ApiError({ type: 'network' }))
      : { ticket: 'ticket-2', expires_at: inMs(300_000) };
  };
  ask();
  await clickAndConfirm();
  await screen.findByText('无法连接服务器，请检查网络后重试');
  await clickAndConfirm();
  await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith('ticket-2');
  expect(keys).toEqual(['key-1', 'key-1']);
});

test('an expired challenge is replaced with a message, whatever this machine’s clock says', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  ask();
  await screen.findByRole('application');
  await vi.advanceTimersByTimeAsync(110_000);
  expect(shown).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await screen.findByText('图片已过期，已换一张新的');
  await expect.poll(() => shown).toBe(2);
});

test('a dialog that fails to load is a failure with a sentence, and loads at the next attempt', async () => {
  isChunkAway = true;
  ask();
  await expect.poll(() => onFailure).toHaveBeenCalledOnce();
  expect(onFailure.mock.lastCall?.[0]).toMatchObject({ name: 'ApiError', failure: { type: 'not-loaded' } });
  isChunkAway = false;
  ask();
  await screen.findByRole('application');
  expect(onTicket).not.toHaveBeenCalled();
});

test('a second request replaces an open captcha, and the first gets no ticket', async () => {
  ask();
  await screen.findByRole('application');
  ask();
  await expect.poll(() => onTicket).toHaveBeenCalledExactlyOnceWith(undefined);
  judge = () => ({ ticket: 'ticket-3', expires_at: inMs(300_000) });
  await clickAndConfirm();
  await expect.poll(() => onTicket).toHaveBeenLastCalledWith('ticket-3');
});

test('an invalid address is reported in Chinese, not in the browser’s language', async () => {
  ask();
  fireEvent.click(await screen.findByRole('button', { name: '看不清图片？用邮箱验证码代替' }));
  fireEvent.change(await screen.findByLabelText('邮箱'), { target: { value: 'kate' } });
  fireEvent.click(screen.getByRole('button', { name: /^确\s?定$/ }));
  await screen.findByText('请输入正确的邮箱地址');
  // The message appears only after the submission, so the browser did not block it.
  await screen.findByText('请输入 6 位数字验证码');
});

test('a late answer to a closed captcha does not close the next one', async () => {
  cleanup();
  const answers: ((ticket: string | undefined) => void)[] = [];
  function CaptchaDialog({ onDone }: { onDone: (ticket: string | undefined) => void }) {
    const [at] = useState(() => answers.push(onDone));
    return <p>captcha {at}</p>;
  }
  render(
    <ApiProvider value={{ call } as unknown as Api}>
      <CaptchaProvider load={async () => ({ CaptchaDialog })}>
        <Asker />
      </CaptchaProvider>
    </ApiProvider>,
  );
  ask();
  await screen.findByText('captcha 1');
  act(() => answers[0]?.(undefined));
  ask();
  await screen.findByText('captcha 2');
  act(() => answers[0]?.('late'));
  screen.getByText('captcha 2');
  act(() => answers[1]?.('ticket'));
  await vi.waitFor(() => expect(onTicket.mock.calls).toEqual([[undefined], ['ticket']]));
});
