import { expect, test } from 'vitest';
import { ApiError, errorCode } from './api-error.ts';
import { errorText } from './error-text.ts';

/** As of another build, which has a class of its own. */
class OtherApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure = {
    ...{ type: 'problem', status: 422, code: 'captcha.once-more' },
    ...{ detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined },
  };
}

test('an error of another build is recognized', () => {
  const error = new OtherApiError();
  expect(errorCode(error)).toBe('captcha.once-more');
  expect(errorText(error)).toMatch(/请再完成一次/);
  expect(new TypeError('failed') instanceof ApiError).toBe(false);
});
