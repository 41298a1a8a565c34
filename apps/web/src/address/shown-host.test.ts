import { expect, test } from 'vitest';
import { shownHost, shownUrl } from './shown-host.ts';

const ascii = (host: string) => new URL(`http://${host}`).hostname;

test.each([
  '家.example.com',
  '我的nas.中国',
  'ひらがなカタカナ漢字.example.jp',
  '한국.example.kr',
  '一二.example.com',
  'nas.example.com',
])('%s is shown in its own script', (host) => {
  expect(shownHost(ascii(host))).toBe(host);
});

test.each([
  ['letters of two scripts', 'раypal.com'],
  ['letters of another script that look like Latin ones', 'аррӏе.com'],
  ['Greek', 'ορενaι.com'],
  ['a stroke that looks like a slash', 'example.com丿login.evil.com'],
  ['a stroke that looks like a hyphen', 'my一bank.com'],
  ['a zero that looks like a letter', 'g〇〇gle.com'],
  ['Korean beside Japanese', '한カ.example.com'],
  ['accents', 'gооgle-münchen.de'],
])('a name with %s stays as DNS has it', (_what, host) => {
  expect(shownHost(ascii(host))).toBe(ascii(host));
});

test('punycode that stands for nothing, or for another label, stays as it is', () => {
  for (const host of ['xn--99999999.com', 'xn--.com', 'xn--nas-.com', 'xn--8DR.com'])
    expect(shownHost(host)).toBe(host);
});

test('in an address only the host is changed', () => {
  expect(shownUrl(`http://${ascii('家.example.com')}:8080/?to=xn--fct`)).toBe('http://家.example.com:8080/?to=xn--fct');
  expect(shownUrl('tcp://xn--fct.example.com:22')).toMatch(/^tcp:\/\/.+\.example\.com:22$/);
  expect(shownUrl('nothing xn--fct')).toBe('nothing xn--fct');
});
