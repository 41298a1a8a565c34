import { expect, test } from 'vitest';
import { isLoopbackHost, linkForOthers, publicAddress, reachableOrigin } from './public-address.ts';

test('a mapping’s address has the console’s scheme and port', () => {
  expect(publicAddress('http://localhost:8080', 'nas.localhost')).toBe('http://nas.localhost:8080');
  expect(publicAddress('https://t.example.com', 'nas.t.example.com')).toBe('https://nas.t.example.com');
});

test('devices use the console’s address, or the configured one when the console is on loopback', () => {
  expect(reachableOrigin('http://192.168.1.2:8080/#/devices', 'http://localhost:8080')).toBe('http://192.168.1.2:8080');
  expect(reachableOrigin('http://localhost:8080/#/', 'https://t.example.com/')).toBe('https://t.example.com');
  expect(reachableOrigin('http://localhost:8080/#/', 'http://localhost:8080')).toBe('http://localhost:8080');
});

test('all names of loopback are recognised', () => {
  const hosts = ['localhost', 'a.localhost', '127.0.0.1', '[::1]', 'localhost.com', '192.168.1.1'];
  expect(hosts.map(isLoopbackHost)).toEqual([true, true, true, true, false, false]);
});

test.each([
  ['http://192.168.1.2:8080/#/manage/users', 'http://192.168.1.2:8080/#/join?token=t', false],
  ['http://localhost:8080/#/manage/users', 'http://localhost:8080/#/join?token=t', true],
])('with the default address, a link that is made at %s is %s', (pageUrl, url, isLocal) => {
  expect(linkForOthers('http://localhost:8080/#/join?token=t', pageUrl)).toEqual({ url, isLocal });
});

test('a link with a configured address stays as it is', () => {
  const url = 'https://t.example.com/s/code';
  expect(linkForOthers(url, 'http://localhost:8080/')).toEqual({ url, isLocal: false });
});
