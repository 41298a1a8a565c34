import { parseTarget, Prefix } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { hostProblem, isPort, joinTarget, prefixPattern, readTypedTarget } from './lan-target.ts';

test.each([
  ['http://192.168.1.10:5000/path?q=1', { kind: 'http', host: '192.168.1.10', port: 5000, hasPath: true }],
  ['https://NAS.local/', { kind: 'https', host: 'nas.local', port: 443, hasPath: false }],
  ['192.168.1.10:8123', { kind: undefined, host: '192.168.1.10', port: 8123, hasPath: false }],
  ['  router  ', { kind: undefined, host: 'router', port: undefined, hasPath: false }],
  ['192。168。1。10：5000', { kind: undefined, host: '192.168.1.10', port: 5000, hasPath: false }],
  ['http://[fd00::1]:80/', { kind: 'http', host: 'fd00::1', port: 80, hasPath: false }],
  ['http://user:secret@192.168.1.1/', { kind: 'http', host: '192.168.1.1', port: 80, hasPath: false }],
  ['//192.168.1.10:5000', { kind: undefined, host: '192.168.1.10', port: 5000, hasPath: false }],
  ['192.168.1.10 5000', { kind: undefined, host: '192.168.1.10', port: 5000, hasPath: false }],
  ['地址：http://192.168.1.10:5000。', { kind: 'http', host: '192.168.1.10', port: 5000, hasPath: false }],
  ['地址：192.168.1.10　5000', { kind: undefined, host: '192.168.1.10', port: 5000, hasPath: false }],
])('%s is read as a person means it', (text, expected) => {
  expect(readTypedTarget(text)).toEqual(expected);
});

test.each(['', 'ftp://192.168.1.1', 'two words', 'http://'])('%j is no address', (text) => {
  expect(readTypedTarget(text)).toBeUndefined();
});

test('what the form joins, the contract reads back', () => {
  for (const host of ['192.168.1.10', 'nas.local', 'fd00::1', '127.0.0.1']) {
    expect(hostProblem(host)).toBeUndefined();
    expect(parseTarget(joinTarget({ kind: 'https', host, port: 5001 }))).toEqual({
      protocol: 'https',
      host: expect.any(String),
      port: 5001,
    });
  }
});

test.each([
  '192.168.1.300',
  '192.168.1',
  '10.1',
  '1.2.3.4.',
  '192.168.1.10 ',
  'a b',
  '家',
  '-a',
  'a-',
  ':::',
  'fd00::g',
])('%j is refused as a host before it is sent', (host) => {
  expect(hostProblem(host)).toBe('format');
});

test('an address of another kind is told apart from a misspelt one', () => {
  expect(['ftp://192.168.1.1', 'smb://nas', 'http://', 'nas'].map(hostProblem)).toEqual([
    'scheme',
    'scheme',
    'format',
    undefined,
  ]);
});

test('a port is a number that a service can have', () => {
  const texts = ['1', '80', '65535', '0', '65536', '123456', 'abc', '80a', '-1', '1.5', ''];
  expect(texts.filter(isPort)).toEqual(['1', '80', '65535']);
});

test('the form and the contract agree about prefixes', () => {
  const candidates = [
    'nas',
    'a',
    '9',
    'a-b',
    '-a',
    'a-',
    'A',
    'a_b',
    '中',
    '',
    'xn--a',
    'ab--c',
    'a--b',
    'x'.repeat(63),
    'x'.repeat(64),
  ];
  for (const candidate of candidates) {
    expect([candidate, prefixPattern.test(candidate)]).toEqual([candidate, Prefix.safeParse(candidate).success]);
  }
});
