import { errorCatalogue } from '@tongtu/contract/errors';
import { expect, test } from 'vitest';
import { ApiError, type Failure } from './api-error.ts';
import { errorText } from './error-text.ts';

function refusal(code: string, more: Partial<Extract<Failure, { type: 'problem' }>> = {}): ApiError {
  const failure = {
    type: 'problem',
    status: 400,
    code,
    detail: '',
    fields: {},
    requestId: '',
    retryAfterSeconds: undefined,
  };
  return new ApiError({ ...failure, ...more } as Failure); // the literal's `type` widens to string
}

test('a code of the catalogue becomes its sentence', () => {
  expect(errorText(refusal('login.failed'))).toBe(errorCatalogue['login.failed'].zh);
  expect(errorText(refusal('request.invalid'))).toBe('输入的数据不合法!');
});

test('a locked account says how many minutes remain', () => {
  expect(errorText(refusal('login.locked', { retryAfterSeconds: 601 }))).toContain('11 分钟');
  expect(errorText(refusal('login.locked', { retryAfterSeconds: 0 }))).toContain('1 分钟');
});

test('a rate limit says when to retry, if that is known', () => {
  const code = 'request.too-many';
  expect(errorText(refusal(code, { retryAfterSeconds: 59 }))).toBe('操作过于频繁，请在 59 秒后再试');
  expect(errorText(refusal(code, { retryAfterSeconds: 61 }))).toBe('操作过于频繁，请在 2 分钟后再试');
  expect(errorText(refusal(code))).toBe('操作过于频繁，请稍后再试');
});

test('a fault of the server shows the request id to report', () => {
  expect(errorText(refusal('server.internal', { requestId: 'r-42' }))).toContain('r-42');
});

test('an unknown code shows the server’s own text', () => {
  expect(errorText(refusal('order.new-kind', { detail: '订单已关闭' }))).toBe('订单已关闭');
});

test('every failure outside of the catalogue has its own Chinese sentence', () => {
  const failures: Failure[] = [
    { type: 'network' },
    { type: 'timeout' },
    { type: 'cancelled' },
    { type: 'unreadable', status: 502 },
  ];
  const sentences = [...failures.map((failure) => new ApiError(failure)), new Error('bug')].map(errorText);
  expect(new Set(sentences).size).toBe(5);
  for (const sentence of sentences) expect(sentence).toMatch(/[一-龥]/);
});
