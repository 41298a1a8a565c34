import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Button } from 'antd';
import { type ComponentProps, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ApiError, errorText, useApi } from '../../api/index.ts';
import { show } from '../../testing/show.tsx';
import { ConfirmProvider } from './confirm-provider.tsx';
import { isCancelled } from './is-cancelled.ts';

afterEach(cleanup);

const guarded = 'POST /api/user/recovery_codes/';
const state = 'GET /custom/confirm/';
const confirm = 'POST /custom/confirm/';

function refusal(code: string, given: { retryAfterSeconds?: number } = {}): ApiError {
  const { retryAfterSeconds } = given;
  return new ApiError({ type: 'problem', status: 403, code, detail: '', fields: {}, requestId: '', retryAfterSeconds });
}

function Guarded() {
  const { call } = useApi();
  const [outcomes, setOutcomes] = useState<string[]>([]);

  async function run() {
    const outcome = await call(guarded).then(
      () => '完成了',
      (error: unknown) => (isCancelled(error) ? '没有做' : errorText(error)),
    );
    setOutcomes((before) => [...before, outcome]);
  }
  return (
    <>
      <Button onClick={() => void run()}>重新生成</Button>
      <output>{outcomes.join()}</output>
    </>
  );
}

/** A fake server that requires a proof until it has received one. */
function open(
  methods: string[],
  answers: Parameters<typeof show>[1] = {},
  props: Partial<ComponentProps<typeof ConfirmProvider>> = {},
) {
  let isProven = false;
  return show(
    <ConfirmProvider {...props}>
      <Guarded />
    </ConfirmProvider>,
    {
      [guarded]: () => (isProven ? { recovery_codes: [] } : Promise.reject(refusal('session.confirm-required'))),
      [state]: () => ({ methods, confirmed_until: null }),
      'GET /api/profile/': () => [{ id: 1, username: 'li', token: 't' }],
      ...answers,
      [confirm]: (input) => {
        const answer = answers[confirm]?.(input) ?? { methods, confirmed_until: null };
        isProven = !(answer instanceof Promise);
        return answer;
      },
    },
  );
}

const outcomes = () => screen.getByRole('status').textContent;
const ask = () => fireEvent.click(screen.getByText('重新生成'));

async function type(label: string, text: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: '确认' }));
}

test.each([
  ['totp', '动态口令', ' 123 456 ', { code: '123456' }],
  ['recovery_code', '恢复码', 'abcd-efgh', { recovery_code: 'abcd-efgh' }],
  ['password', '登录密码', 'a long password', { password: 'a long password' }],
  ['sms', '短信验证码', '654321', { sms_code: '654321' }],
])('a protected call is repeated after a proof by %s', async (method, label, typed, body) => {
  const calls = open([method]);
  ask();
  await type(label, typed);
  await waitFor(() => expect(outcomes()).toBe('完成了'));
  expect(calls.filter(({ key }) => key === confirm).map(({ input }) => input)).toEqual([{ body }]);
  expect(calls.filter(({ key }) => key === guarded)).toHaveLength(2);
});

test('a wrong proof is reported, and the user can try again', async () => {
  let isRight = false;
  open(['password'], {
    [confirm]: () => (isRight ? undefined : Promise.reject(refusal('password.wrong'))),
  });
  ask();
  await type('登录密码', 'wrong');
  await screen.findByText('密码不正确');
  isRight = true;
  await type('登录密码', 'right');
  await waitFor(() => expect(outcomes()).toBe('完成了'));
});

test('the call is not repeated when the user closes the dialog', async () => {
  const calls = open(['password']);
  ask();
  await screen.findByLabelText('登录密码');
  fireEvent.keyDown(window, { key: 'Escape' });
  await waitFor(() => expect(outcomes()).toBe('没有做'));
  expect(calls.filter(({ key }) => key === guarded)).toHaveLength(1);
  ask();
  await type('登录密码', 'after all');
  await waitFor(() => expect(outcomes()).toBe('没有做,完成了'));
});

test('two calls at once open one dialog', async () => {
  const calls = open(['password']);
  ask();
  ask();
  await type('登录密码', 'right');
  await waitFor(() => expect(outcomes()).toBe('完成了,完成了'));
  expect(calls.filter(({ key }) => key === confirm)).toHaveLength(1);
});

test('the user can choose another method', async () => {
  const calls = open(['totp', 'recovery_code']);
  ask();
  await screen.findByLabelText('动态口令');
  fireEvent.click(screen.getByText('恢复码'));
  await type('恢复码', 'abcd');
  await waitFor(() => expect(outcomes()).toBe('完成了'));
  expect(calls.find(({ key }) => key === confirm)?.input).toEqual({ body: { recovery_code: 'abcd' } });
});

test('a user without a method is asked to log in again', async () => {
  open([]);
  ask();
  await screen.findByText('重新登录');
});

test('a dialog that failed to load can be loaded again', async () => {
  let isBroken = true;
  open(['password'], {
    [state]: () =>
      isBroken ? Promise.reject(new ApiError({ type: 'network' })) : { methods: ['password'], confirmed_until: null },
  });
  ask();
  await screen.findByText('暂时无法确认身份');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await screen.findByLabelText('登录密码');
});

test('a dialog whose file does not arrive fails the call and nothing else, and loads at the next attempt', async () => {
  let isAway = true;
  const load = async () => {
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module');
    return await import('./confirm-dialog.tsx');
  };
  open(['password'], {}, { load });
  ask();
  await waitFor(() => expect(outcomes()).toMatch(/^这部分内容没有加载成功/));
  isAway = false;
  ask();
  await type('登录密码', 'right');
  await waitFor(() => expect(outcomes()).toMatch(/,完成了$/));
});

test('a code is sent to the user’s number once, typed at once, and sent again only after the countdown', async () => {
  const calls = open(['sms'], { 'POST /api/verify/sms/send/': () => ({ retry_after: 60, expires_in: 300 }) });
  ask();
  fireEvent.click(await screen.findByText('获取验证码'));
  await screen.findByText('验证码已发送，5 分钟内有效');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /秒后可重发/ }).disabled).toBe(true);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('短信验证码')));
  const sent = calls.filter(({ key }) => key === 'POST /api/verify/sms/send/');
  expect(sent.map(({ input }) => input)).toEqual([{ body: { purpose: 'confirm' } }]);
});
