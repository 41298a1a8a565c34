import { expect, test } from 'vitest';
import { passwordWeakness } from './password-weakness.ts';
import { NewPassword } from './users.ts';

const own = ['katherine', 'kate.winters@example.com', '+8613951728460'];

test.each([
  ['short one', 'new-password.too-short'],
  ['correct horse '.repeat(20), 'new-password.too-long'],
  ['aaaaaaaaaa', 'new-password.too-uniform'],
  ['abababababab', 'new-password.too-uniform'],
  ['1212121212121', 'new-password.too-uniform'],
  ['AaAaBbBbCcDd', 'new-password.too-uniform'],
  ['ａａａａａａａａａａ', 'new-password.too-uniform'],
  ['1234567890', 'new-password.a-run'],
  ['0987654321', 'new-password.a-run'],
  ['１２３４５６７８９０', 'new-password.a-run'],
  ['12345678901', 'new-password.a-run'],
  ['1234512345', 'new-password.a-run'],
  ['abcdefghij', 'new-password.a-run'],
  ['ABCDEFGHIJ1', 'new-password.a-run'],
  ['qwertyuiop', 'new-password.a-run'],
  ['QwertyUiop[]', 'new-password.a-run'],
  ['poiuytrewq', 'new-password.a-run'],
  ['asdfghjkl;zxcvbnm', 'new-password.a-run'],
  ['1q2w3e4r5t6y', 'new-password.a-run'],
  ['1qaz2wsx3edc', 'new-password.a-run'],
  ['aabbccddeeff', 'new-password.a-run'],
  ['123456789qwertyuiop', 'new-password.a-run'],
])('%s is guessed at once', (password, why) => {
  expect(passwordWeakness(password, own)).toBe(why);
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
  'katherine12345',
  'k@ther1ne-2026!',
  'Katherine#5839',
  '2026katherine1128',
  'winters-katherine',
])('%s is what others know of the account', (password) => {
  expect(passwordWeakness(password, own)).toBe('new-password.own-word');
  expect(passwordWeakness(password, ['li', '', 'han@example.com', '+8613900139000'])).toBeUndefined();
});

test.each(['tongtu12345', 'Tongtu@2026', 'T0ngtu#1128', 'tongtutongtu', '通途通途通途12345'])(
  '%s is made of the name of the product',
  (password) => {
    expect(passwordWeakness(password, own)).toBe('new-password.product-word');
  },
);

test.each([
  'Password1!',
  'P@ssw0rd2026',
  'password5839!',
  'pa$$w0rd#11',
  'Admin@12345',
  'adm1n1strat0r',
  'woaini1314520',
  'woaini5201314!',
  'Zhangsan@123',
  'mima123456789',
  'iloveyou2026',
  'welcome2home!',
  'root@synology1',
  'qwertyPassword1',
  'tongtuadmin12',
  '12345admin67890',
  'passwordpassword2026',
  '!!Password-Password!!',
])('%s is common', (password) => {
  expect(passwordWeakness(password, own)).toBe('new-password.common');
  expect(NewPassword.safeParse(password).success).toBe(false);
});

test.each([
  'the love of my dragon',
  'admin wants coffee',
  'Vq7#test-mzLw',
  'woaini xihuan chifan',
  'E2E-Passw0rd-2026!',
  'Bar-Passw0rd-2026!',
  'Family-Router-Welcome-99',
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
