import { errorCatalogue } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { formatTarget, readPrivateTarget } from './private-target.ts';

test.each([
  ['http://192.168.1.10:5000', 'http', '192.168.1.10', 5000],
  ['http://10.0.0.1', 'http', '10.0.0.1', 80],
  ['https://172.31.255.254/', 'https', '172.31.255.254', 443],
  ['http://127.0.0.1:8080', 'http', '127.0.0.1', 8080],
  ['http://100.64.0.1', 'http', '100.64.0.1', 80],
  ['http://[fd00::5]:81', 'http', 'fd00::5', 81],
  ['http://[::1]:9', 'http', '::1', 9],
  ['http://localhost:3000', 'http', 'localhost', 3000],
  ['http://NAS', 'http', 'nas', 80],
  ['http://nas.local.', 'http', 'nas.local', 80],
  ['http://box.lan', 'http', 'box.lan', 80],
  ['http://tv.home', 'http', 'tv.home', 80],
  ['http://tv.home.arpa', 'http', 'tv.home.arpa', 80],
  ['http://a.b.internal', 'http', 'a.b.internal', 80],
] as const)('%s stays inside the network of the device', (text, protocol, host, port) => {
  expect(readPrivateTarget(text)).toEqual({ protocol, host, port });
});

test.each([
  'http://8.8.8.8',
  'http://1.1.1.1:80',
  'http://172.32.0.1',
  'http://192.169.0.1',
  'http://100.128.0.1',
  'http://0.0.0.0',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://134744072',
  'http://0x08080808',
  'http://010.8.8.8',
  'http://[::]',
  'http://[2001:4860:4860::8888]',
  'http://[::ffff:8.8.8.8]',
  'http://[::ffff:808:808]',
  'http://[64:ff9b::808:808]',
  'http://[64:ff9b::a9fe:aa02]',
  'http://[64:ff9b::169.254.170.2]',
  'http://[::169.254.170.2]',
  'http://[2002:a9fe:aa02::]',
  'http://[2002:c0a8:101::1]',
  'http://[ff02::1]',
  'http://example.com',
  'http://evil.local.example.com',
  'http://nas..local',
  'http://-nas.local',
  'http://192.168.1.1.nip.io',
])('%s is not private', (text) => {
  const code = 'mapping.target-not-private';
  expect(() => readPrivateTarget(text)).toThrow(
    expect.objectContaining({ code, fields: { target: [errorCatalogue[code]] } }),
  );
});

test.each([
  'http://169.254.169.254',
  'http://169.254.170.2',
  'http://169.254.170.23/',
  'http://0xa9feaa02',
  'http://2852039170',
  'http://[::ffff:169.254.170.2]',
  'http://[::ffff:a9fe:aa02]',
  'tcp://169.254.3.4:22',
  'udp://[fe80::1]:53',
  'http://[fd00:ec2::23]',
  'http://[FD00:EC2::254]',
])('%s is refused as a credential address', (text) => {
  const code = 'mapping.target-credentials';
  expect(() => readPrivateTarget(text)).toThrow(
    expect.objectContaining({ code, fields: { target: [errorCatalogue[code]] } }),
  );
});

test('a target is shown without its default port', () => {
  expect(formatTarget({ kind: 'http', targetHost: '192.168.1.10', targetPort: 80 })).toBe('http://192.168.1.10');
  expect(formatTarget({ kind: 'https', targetHost: 'nas', targetPort: 80 })).toBe('https://nas:80');
  expect(formatTarget({ kind: 'https', targetHost: 'fd00::5', targetPort: 443 })).toBe('https://[fd00::5]');
});
