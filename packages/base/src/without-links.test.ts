import { expect, test } from 'vitest';
import { withoutLinks } from './without-links.ts';

test.each([
  ['https://evil.example/a', 'https(:)//evil(.)example/a'],
  ['weixin://dl/business', 'weixin(:)//dl/business'],
  ['http://1249763844/', 'http(:)//1249763844/'],
  ['请打开 www.evil.example', '请打开 www(.)evil(.)example'],
  ['evil.example', 'evil(.)example'],
  ['请打开evil.cn/a', '请打开evil(.)cn/a'],
  ['恶意.公司', '恶意(.)公司'],
  ['💩.la', '💩(.)la'],
  ['www.360.cn', 'www(.)360(.)cn'],
  ['360.cn', '360(.)cn'],
  ['evil。cn', 'evil(。)cn'],
  ['evil．cn', 'evil(．)cn'],
  ['a_.cn', 'a_(.)cn'],
  ['203.0.113.7/a', '203(.)0(.)113(.)7/a'],
  ['me@evil.example', 'me(@)evil(.)example'],
  ['[点我](https://evil.example)', '［点我］(https(:)//evil(.)example)'],
  ['<a href="x">点我</a>', '＜a href="x"＞点我＜/a＞'],
  ['<at user_id="all"></at>', '＜at user_id="all"＞＜/at＞'],
])('%j is no link', (text, shown) => {
  expect(withoutLinks(text)).toBe(shown);
});

test.each([
  '妈妈的电脑',
  '你好。请让我看看相册。谢谢',
  'Synology DS920+ (2.5G)',
  'v1.2.3',
  'Mr. Wang',
  'Chrome · Windows',
  'a: b',
  '12.50 元',
  '等等...',
])('%j stays as it is', (text) => {
  expect(withoutLinks(text)).toBe(text);
});
