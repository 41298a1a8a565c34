import { expect, test, vi } from 'vitest';
import { ApiError, errorCode } from './api-error.ts';
import { errorText } from './error-text.ts';

test('an error of the other build is known by what it is', async () => {
  vi.resetModules();
  const other = await import('./api-error.ts');
  const rest = { detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  const error = new other.ApiError({ type: 'problem', status: 403, code: 'captcha.once-more', ...rest });
  expect(other.ApiError).not.toBe(ApiError);
  expect(errorCode(error)).toBe('captcha.once-more');
  expect(errorText(error)).toMatch(/请再完成一次/);
  expect(new TypeError('failed') instanceof ApiError).toBe(false);
});
