import { expect, test } from 'vitest';
import { passwordWeakness } from './password-weakness.ts';
import { NewPassword } from './users.ts';

const own = ['katherine', 'kate.winters@example.com', '+8613951728460'];

test.each([
  ['short one', '至少 10 个字符'],
  ['correct horse '.repeat(20), '不能超过 256 个字符'],
  ['aaaaaaaaaa', '5 个不同的字符'],
  ['abababababab', '5 个不同的字符'],
  ['1212121212121', '5 个不同的字符'],
  ['AaAaBbBbCcDd', '5 个不同的字符'],
  ['ａａａａａａａａａａ', '5 个不同的字符'],
  ['1234567890', '连续的字母'],
  ['0987654321', '连续的字母'],
  ['１２３４５６７８９０', '连续的字母'],
  ['12345678901', '连续的字母'],
  ['1234512345', '连续的字母'],
  ['abcdefghij', '连续的字母'],
  ['ABCDEFGHIJ1', '连续的字母'],
  ['qwertyuiop', '连续的字母'],
  ['QwertyUiop[]', '连续的字母'],
  ['poiuytrewq', '连续的字母'],
  ['asdfghjkl;zxcvbnm', '连续的字母'],
  ['1q2w3e4r5t6y', '连续的字母'],
  ['1qaz2wsx3edc', '连续的字母'],
  ['aabbccddeeff', '连续的字母'],
  ['123456789qwertyuiop', '连续的字母'],
])('%s is guessed at once', (password, why) => {
  expect(passwordWeakness(password, own)).toContain(why);
  expect(NewPassword.safeParse(password).success).toBe(false);
});

test.each([
  'katherine1',
  'KATHERINE!!!',
  'katherinekatherine',
  'kate.winters@example.com',
  'Kate.Winters1',
  '13951728460',
  '+8613951728460',
  '8613951728460',
  '1395172846013951728460',
  'ｋａｔｈｅｒｉｎｅ1',
])('%s is what others know of the account', (password) => {
  expect(passwordWeakness(password, own)).toContain('用户名、手机号或邮箱');
  expect(passwordWeakness(password, ['li', '', 'han@example.com', '+8613900139000'])).toBeUndefined();
});

test.each([
  'E2E-Passw0rd-2026!',
  'correct horse battery',
  'another password',
  'a new password',
  'chosen by the operator',
  'k3v9x-7q2mh-p8f4d-zt6wn',
  'katherine the great',
  'my 13951728460 number',
  '通途是我家里的穿透服务',
  'tr0ub4dor&3',
])('%s may be a password', (password) => {
  expect(passwordWeakness(password, own)).toBeUndefined();
  expect(NewPassword.safeParse(password).success).toBe(true);
});

test('names that are short, or none, forbid nothing', () => {
  expect(passwordWeakness('lily of the valley', ['li', '', 'a@b.cn'])).toBeUndefined();
});
