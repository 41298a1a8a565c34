import { expect, test } from 'vitest';
import { readClipboardRequest } from './clipboard-request.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('the text of a request is read in UTF-8', () => {
  expect(readClipboardRequest(`c;${base64('你好 🙂')}`)).toBe('你好 🙂');
  expect(readClipboardRequest(`;${base64('x')}`)).toBe('x');
});

test.each([
  '',
  'c',
  'c;',
  'c;?',
  'c;***',
  `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`,
  `c;${'A'.repeat(100_004)}`,
])('%j is no request to set the clipboard', (data) => {
  expect(readClipboardRequest(data)).toBeUndefined();
});
