import { expect, test } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.10',
  '169.254.3.4',
  '100.64.0.1',
  '100.127.255.254',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fd12:3456::1',
  '::ffff:192.168.1.1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.51.100.1',
  '2606:4700::1111',
  '::',
  '::ffff:8.8.8.8',
  '64:ff9b::0808:0808',
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '2002:0808:0808::1',
  'ff02::1',
  'nas.lan',
  '',
])('%s is not', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
