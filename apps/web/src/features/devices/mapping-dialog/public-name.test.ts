import { CustomDomain, Prefix } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { isCustomDomain, prefixPattern, readTypedDomain } from './public-name.ts';
import { freePrefix } from './free-prefix.ts';

test('the form and the contract agree about prefixes', () => {
  const longest = 'x'.repeat(63);
  const sound = ['nas', 'a', '9', 'a-b', 'a--b', longest];
  const wrong = ['-a', 'a-', 'A', 'a_b', '中', '', 'xn--a', 'ab--c', `${longest}x`];
  for (const candidate of [...sound, ...wrong]) {
    expect([candidate, prefixPattern.test(candidate)]).toEqual([candidate, Prefix.safeParse(candidate).success]);
  }
});

test('the form and the contract agree about domains', () => {
  const label = 'x'.repeat(63);
  const longest = `${label}.${label}.${label}.${'y'.repeat(59)}.co`;
  const sound = [
    'nas.example.com',
    'a.co',
    'xn--fiqs8s.xn--fiqs8s',
    '9.example',
    '我的.中国',
    'NAS.Example.com.',
    longest,
  ];
  const wrong = [
    'example',
    '1.2.3.4',
    'a..com',
    '-a.com',
    'a-.com',
    'a.c',
    'a_b.com',
    'a b.com',
    'xn--99999999.com',
    '',
    `${label}x.com`,
  ];
  for (const candidate of [...sound, ...wrong, `a${longest}`]) {
    expect([candidate, isCustomDomain(candidate)]).toEqual([candidate, CustomDomain.safeParse(candidate).success]);
  }
});

test.each([
  ['NAS.Example.com', 'nas.example.com'],
  [' https://nas.example.com:8443/path?q ', 'nas.example.com'],
  ['nas。example。com', 'nas.example.com'],
  ['nas.example.com.', 'nas.example.com'],
  ['我的.中国', 'xn--wnu286b.xn--fiqs8s'],
  ['nas', 'nas'],
])('%s is the domain %s', (typed, domain) => {
  expect(readTypedDomain(typed)).toBe(domain);
});

test('a suggested prefix is one that is still free', () => {
  expect(freePrefix('nas', new Set(['nas', 'nas2']))).toBe('nas3');
});
