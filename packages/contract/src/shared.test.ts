import { expect, test } from 'vitest';
import { ProofProfilePatch } from './account/account.ts';
import { CaptchaMailAnswer, CaptchaMailRequest } from './account/captcha.ts';
import { VerificationQuery } from './gate/gate.ts';
import { SecondStep } from './account/second-factor.ts';
import { EmailAddress, Id, IdParams, PageQuery, Whole } from './shared.ts';
import { EmailRequest, PhoneBind } from './account/verify.ts';

const notDigits = ['0x1', '1e3', ' 5 ', '5 ', '+5', '-5', '1.0', '1_0', '٣', '０', '', 'NaN', 'Infinity', '0b1', ['5']];

test.each(notDigits)('%j is no id and no number of a query', (text) => {
  expect(IdParams.safeParse({ id: text }).success).toBe(false);
  expect(PageQuery.safeParse({ limit: text }).success).toBe(false);
  expect(PageQuery.safeParse({ offset: text }).success).toBe(false);
  expect(VerificationQuery.safeParse({ mapping: text }).success).toBe(false);
  expect(VerificationQuery.safeParse({ router: text }).success).toBe(false);
});

test('decimal digits are, within their limits', () => {
  expect(IdParams.parse({ id: '2147483647' })).toEqual({ id: 2_147_483_647 });
  expect(PageQuery.parse({ limit: '5', offset: '0' })).toEqual({ limit: 5, offset: 0 });
  expect(IdParams.safeParse({ id: '2147483648' }).success).toBe(false);
  expect(IdParams.safeParse({ id: '0' }).success).toBe(false);
  expect(IdParams.safeParse({ id: '9'.repeat(400) }).success).toBe(false);
  expect(PageQuery.safeParse({ limit: '501' }).success).toBe(false);
});

test.each([
  [Id.max(9), 1e30],
  [Id.max(9), 1.5],
  [Whole.max(9), 1e30],
  [IdParams.shape.id, '9'.repeat(30)],
])('a number that no field can hold has one message: %#', (schema, input) => {
  expect(schema.safeParse(input).error?.issues).toHaveLength(1);
});

test('a query that says nothing asks for the first page', () => {
  expect(PageQuery.parse({})).toEqual({ limit: 100, offset: 0 });
  expect(VerificationQuery.parse({})).toEqual({ limit: 100, offset: 0 });
});

test.each([
  ['of a text message', PhoneBind, { phone: '13800138000' }],
  ['of a mail in place of a captcha', CaptchaMailAnswer, { purpose: 'login', email: 'a@example.com' }],
  ['of an app', SecondStep, { token: 't' }],
])('the code %s is six digits, whatever spaces were copied with it', (_what, Schema, rest) => {
  expect(Schema.parse({ ...rest, code: ' 012345\n' })).toEqual({ ...rest, code: '012345' });
  for (const code of ['12345', '1234567', '１２３４５６', '12 345', '']) {
    expect(Schema.safeParse({ ...rest, code }).success).toBe(false);
  }
});

const label63 = 'x'.repeat(63);

test.each([
  'li@example.com',
  'li.ming+tongtu@mail.example.com',
  "o'brien@example.com",
  'li@a-b.example',
  'li@1.example',
  'li@xn--fiqs8s.xn--fiqs8s',
  `li@${label63}.example`,
  `${'x'.repeat(64)}@example.com`,
])('%s is an e-mail address', (address) => {
  expect(EmailAddress.parse(address)).toBe(address);
});

test.each([
  'li@example-.com',
  'li@mail.example-.com',
  'li@-example.com',
  'li@example.com-',
  'li@example.-com',
  'li@example..com',
  'li@.example.com',
  'li@example.com.',
  'li@example',
  'li@exam_ple.com',
  'li@203.0.113.7',
  'li@[203.0.113.7]',
  `li@${label63}x.example`,
  `${'x'.repeat(65)}@example.com`,
  `li@${`${label63}.`.repeat(4)}example`,
  'li ming@example.com',
  '.li@example.com',
  'li.@example.com',
  'li..ming@example.com',
  'li@wang@example.com',
  'li@example.com\n',
  '@example.com',
  '',
])('%j is none, wherever one is asked for', (address) => {
  for (const Schema of [EmailAddress, EmailRequest.shape.email, CaptchaMailRequest.shape.email]) {
    expect(Schema.safeParse(address).success).toBe(false);
  }
  expect(ProofProfilePatch.safeParse({ email: address, code: '012345' }).success).toBe(false);
});
