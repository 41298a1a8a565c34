import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../api/client/api-error.ts';
import type { Call } from '../../api/client/call-types.ts';
import { createCaptcha } from '../captcha/create-captcha.ts';
import { useSendCode } from './use-send-code.ts';

const sent = { retry_after: 0, expires_in: 300 };
const untried = { error: null, reset: () => undefined };
let solved: number;
let asked: unknown[];
let isClosed: boolean;
/** The server's replies about the captcha, in order. After the last one the request fails. */
let needs: unknown[];

beforeEach(() => {
  solved = 0;
  asked = [];
  isClosed = false;
  needs = [];
  sessionStorage.clear();
});
afterEach(cleanup);

function refusal(code: string): ApiError {
  const rest = { detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 429, code, ...rest });
}

async function answerNeed(key: string): Promise<unknown> {
  if (key !== 'GET /api/verify/captcha/init/' || needs.length === 0) throw refusal('server.internal');
  return needs.shift();
}

const captcha = createCaptcha({
  call: answerNeed as unknown as Call,
  ask: async (_purpose, options) => {
    asked.push(options);
    return isClosed ? undefined : `ticket-${++solved}`;
  },
  purpose: 'sms',
});

/** A fake server; `answers` are its replies to calls with a ticket, in order. */
function serverOf(answers: (typeof sent | ApiError)[]) {
  const tickets: (string | undefined)[] = [];
  async function call({ ticket }: { ticket?: string }) {
    tickets.push(ticket);
    if (ticket === undefined) throw refusal('captcha.required');
    const answer = answers.shift();
    if (answer === undefined || answer instanceof ApiError) throw answer ?? new Error('asked too often');
    return answer;
  }
  return { call, tickets };
}

test('a ticket that a rate limit left unused serves the next try; a used one does not', async () => {
  const { call, tickets } = serverOf([refusal('code.too-often'), sent, sent]);
  const { result } = renderHook(() => useSendCode('sms', untried, captcha));

  for (const isSent of [false, true, true]) {
    expect(await act(async () => await result.current.send(call))).toBe(isSent);
  }

  expect(tickets).toEqual([undefined, 'ticket-1', 'ticket-1', undefined, 'ticket-2']);
});

test('a required captcha is solved before anything is sent, starting with the server’s chosen challenge', async () => {
  needs = [{ required: true, type: 'click', key: 'chosen' }];
  const { call, tickets } = serverOf([sent]);
  const { result } = renderHook(() => useSendCode('sms', untried, captcha));

  expect(await act(async () => await result.current.send(call))).toBe(true);

  expect(asked).toMatchObject([{ firstKey: 'chosen' }]);
  expect(tickets).toEqual(['ticket-1']);
});

test('no captcha is shown when none is required', async () => {
  needs = [{ required: false, type: null, key: null }];
  const { result } = renderHook(() => useSendCode('sms', untried, captcha));

  expect(await act(async () => await result.current.send(async () => sent))).toBe(true);

  expect(asked).toEqual([]);
});

test('nothing is sent when the captcha is closed', async () => {
  needs = [{ required: true, type: 'click', key: 'chosen' }];
  isClosed = true;
  const { call, tickets } = serverOf([sent]);
  const { result } = renderHook(() => useSendCode('sms', untried, captcha));

  expect(await act(async () => await result.current.send(call))).toBe(false);

  expect(tickets).toEqual([]);
  expect(result.current.error).toBeUndefined();
});

test('an expired captcha ticket is replaced', async () => {
  const { call, tickets } = serverOf([refusal('code.too-often'), refusal('captcha.ticket-expired'), sent]);
  const { result } = renderHook(() => useSendCode('sms', untried, captcha));

  expect(await act(async () => await result.current.send(call))).toBe(false);
  expect(await act(async () => await result.current.send(call))).toBe(true);

  expect(tickets).toEqual([undefined, 'ticket-1', 'ticket-1', 'ticket-2']);
  expect(asked).toMatchObject([{ notice: undefined }, { notice: '人机验证已过期，请再试一次' }]);
});

test('an expired code is no longer called valid, until another one is sent', async () => {
  const { call } = serverOf([sent, sent]);
  let error: unknown = null;
  const reset = () => void (error = null);
  const { result, rerender } = renderHook(() => useSendCode('sms', { error, reset }, captcha));
  const good = '验证码已发送，5 分钟内有效';

  await act(async () => await result.current.send(call));
  expect(result.current.notice).toBe(good);
  error = refusal('code.wrong');
  rerender();
  expect(result.current.notice).toBe(good);
  error = refusal('code.expired');
  rerender();
  expect(result.current.notice).toBeUndefined();
  error = null;
  rerender();
  expect(result.current.notice).toBeUndefined();

  error = refusal('code.expired');
  rerender();
  await act(async () => await result.current.send(call));
  expect(error).toBeNull();
  expect(result.current.notice).toBe(good);
});
