import { expect, test } from 'vitest';
import { isCredentialAddress, isPrivateAddress } from './private-address.ts';

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.10',
  '100.64.0.1',
  '100.127.255.254',
  '::1',
  'fd12:3456::1',
  'fd00:ec3::1',
  '::ffff:192.168.1.1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
  expect(isCredentialAddress(address)).toBe(false);
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
  '2002:0808:0808::1',
  'ff02::1',
  'nas.lan',
  '',
])('%s is not', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
  expect(isCredentialAddress(address)).toBe(false);
});

test.each([
  '169.254.0.0',
  '169.254.3.4',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.255.255',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:aa02',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fd00:ec2::23',
  'fd00:ec2::254',
  'fd00:ec2:ffff::1',
  '100.100.100.200',
  '168.63.129.16',
])('%s may hand out credentials', (address) => {
  expect(isCredentialAddress(address)).toBe(true);
  expect(isPrivateAddress(address)).toBe(false);
});

test.each([
  '64:ff9b::a9fe:aa02',
  '64:ff9b::169.254.170.2',
  '64:ff9b:1::a9fe:aa02',
  '2002:a9fe:aa02::',
  '::169.254.170.2',
  '::ffff:0:169.254.170.2',
])('%s, which may be translated to such an address, is not private either', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
