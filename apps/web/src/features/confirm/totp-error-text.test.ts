import { expect, test } from 'vitest';
import { ApiError } from '../../api/client/api-error.ts';
import { totpErrorText } from './totp-error-text.ts';

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

test('a wrong code mentions the next code and the clock', () => {
  expect(totpErrorText(refusal('second-factor.wrong'))).toMatch(/下一个.*时间/);
});

test('any other failure keeps its own sentence', () => {
  expect(totpErrorText(refusal('second-factor.expired'))).toBe('验证已超时，请重新开始');
});
