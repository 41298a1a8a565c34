import { parseTarget } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { hostProblem, isPort, joinTarget, readTypedTarget } from './lan-target.ts';

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
  ['tcp://192.168.1.10:25565', { kind: 'tcp', host: '192.168.1.10', port: 25_565, hasPath: false }],
  ['UDP://10.0.0.2:51820', { kind: 'udp', host: '10.0.0.2', port: 51_820, hasPath: false }],
  ['tcp://192.168.1.10', { kind: 'tcp', host: '192.168.1.10', port: undefined, hasPath: false }],
  ['ssh://pi@192.168.1.10', { kind: 'tcp', host: '192.168.1.10', port: 22, hasPath: false }],
  ['ssh://host:22', { kind: 'tcp', host: 'host', port: 22, hasPath: false }],
  ['rdp://192.168.1.10', { kind: 'tcp', host: '192.168.1.10', port: 3389, hasPath: false }],
  ['wss://ha.local/api/websocket', { kind: 'https', host: 'ha.local', port: 443, hasPath: true }],
])('%s is read as a person means it', (text, expected) => {
  expect(readTypedTarget(text)).toEqual(expected);
});

test.each(['', 'ftp://192.168.1.1', 'constructor://nas', 'two words', 'http://'])('%j is no address', (text) => {
  expect(readTypedTarget(text)).toBeUndefined();
});

test('what the form joins, the contract reads back', () => {
  for (const host of ['192.168.1.10', 'nas.local', 'fd00::1', '127.0.0.1']) {
    expect(hostProblem(host)).toBeUndefined();
    for (const kind of ['https', 'tcp', 'udp'] as const) {
      const target = parseTarget(joinTarget({ kind, host, port: 5001 }));
      expect(target).toEqual({ protocol: kind, host: expect.any(String), port: 5001 });
    }
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

test('an address of another kind is distinguished from a misspelt one', () => {
  expect(['ftp://192.168.1.1', 'smb://nas', 'http://', 'tcp://', 'nas'].map(hostProblem)).toEqual([
    'scheme',
    'scheme',
    'format',
    'format',
    undefined,
  ]);
});

test('a port is a number that a service can have', () => {
  const texts = ['1', '80', '65535', '0', '65536', '123456', 'abc', '80a', '-1', '1.5', ''];
  expect(texts.filter(isPort)).toEqual(['1', '80', '65535']);
});

test.each(['192.168.001.010', '010.0.0.1', '192.168.1.01'])(
  '%s has leading zeros, which mean another address',
  (host) => {
    expect(hostProblem(host)).toBe('zeros');
  },
);
