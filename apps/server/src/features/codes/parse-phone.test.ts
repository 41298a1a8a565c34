import { expect, test } from 'vitest';
import { parsePhone } from './parse-phone.ts';

test.each([
  '13800138000',
  ' 138 0013 8000 ',
  '138-0013-8000',
  '+8613800138000',
  '0086 138 0013 8000',
  '86 13800138000',
  '１３８００１３８０００',
])('%s is a mobile number of the default region', (text) => {
  expect(parsePhone(text, ['86'])).toBe('+8613800138000');
});

test('a newly allotted range counts as mobile', () => {
  expect(parsePhone('19400138000', ['86'])).toBe('+8619400138000');
});

test.each([
  ['a landline', '010-62781234'],
  ['too short', '1380013800'],
  ['too long', '138001380001'],
  ['an emergency call', '110'],
  ['text around it', '我的号码 13800138000'],
  ['an extension', '13800138000 ext. 5'],
  ['nothing', ''],
  ['letters', 'phone'],
  ['another region', '+852 5123 4567'],
  ['a region that does not exist', '+999 13800138000'],
  ['two numbers', '13800138000,13900139000'],
  ['a line break', '13800138000\n13900139000'],
])('%s is refused', (_name, text) => {
  expect(() => parsePhone(text, ['86'])).toThrow(expect.objectContaining({ code: 'phone.invalid' }));
});

test('numbers of further regions need their calling code', () => {
  expect(parsePhone('+852 5123 4567', ['86', '852'])).toBe('+85251234567');
  expect(() => parsePhone('5123 4567', ['86', '852'])).toThrow('phone.invalid');
  expect(parsePhone('5123 4567', ['852', '86'])).toBe('+85251234567');
  expect(() => parsePhone('+852 2123 4567', ['86', '852'])).toThrow('phone.invalid'); // a landline there
});
