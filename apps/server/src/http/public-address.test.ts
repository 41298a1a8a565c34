import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AddressRefused, checkedLookup, isHostRefused, type AllowedAddresses } from './public-address.ts';

async function lookUp(addresses: string[], allowed: AllowedAddresses = 'public'): Promise<unknown> {
  const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return await promisify(checkedLookup(allowed, resolve))('hook.example.com', { all: true });
}

const refused = [
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '127.0.0.1.',
  '10.0.0.1',
  '172.16.3.4',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[4000::1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::]',
  'localhost',
  'LOCALHOST',
  'hook.localhost.',
];

test.each(refused)('http://%s/ is refused by its host alone', (host) => {
  expect(isHostRefused(new URL(`http://${host}/`).hostname, 'public')).toBe(true);
});

test.each(['93.184.216.34', '[2606:4700::1111]', 'hook.example.com', 'localhost.example.com', '10.example.com'])(
  'http://%s/ is not refused by its host alone',
  (host) => {
    expect(isHostRefused(new URL(`http://${host}/`).hostname, 'public')).toBe(false);
  },
);

test.each([
  ['169.254.169.254'],
  ['100.100.100.200'],
  ['[fd00:ec2::254]'],
  ['[::ffff:169.254.169.254]'],
  ['168.63.129.16'],
  ['169.254.170.2'],
  ['[fd20:ce::254]'],
  ['100.96.0.96'],
  ['[fd00:ec2::23]'],
  ['[fe80::1]'],
  ['[64:ff9b::a9fe:a9fe]'],
  ['[64:ff9b:1::a9fe:a9fe]'],
  ['[2002:a9fe:a9fe::]'],
  ['[::169.254.169.254]'],
  ['[::ffff:0:169.254.169.254]'],
])('the credential address %s is refused even when private addresses are allowed', (host) => {
  expect(isHostRefused(new URL(`http://${host}/`).hostname, 'any')).toBe(true);
});

test('private addresses are allowed when the operator allows them', () => {
  for (const host of ['127.0.0.1', '192.168.1.1', '[::1]', 'localhost', '[fd00::1]', '1.1.1.1', '[2606:4700::1111]']) {
    expect(isHostRefused(new URL(`http://${host}/`).hostname, 'any'), host).toBe(false);
  }
});

test('a name resolves to its public addresses, and is refused when one of them is private', async () => {
  expect(await lookUp(['93.184.216.34', '2606:4700::1111'])).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  for (const bad of ['127.0.0.1', '10.1.2.3', '::1', 'fe80::1', '::ffff:192.168.0.1', '169.254.169.254']) {
    await expect(lookUp([bad]), bad).rejects.toThrow(AddressRefused);
    await expect(lookUp(['93.184.216.34', bad]), bad).rejects.toThrow(AddressRefused);
  }
  await expect(lookUp([])).rejects.toThrow('no address');
  expect(await lookUp(['127.0.0.1'], 'any')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  await expect(lookUp(['169.254.169.254'], 'any')).rejects.toThrow(AddressRefused);
});

test('a lookup returns the address that it checked, so DNS rebinding gains nothing', async () => {
  let lookups = 0;
  // DNS rebinding: the first answer is public, the second private.
  const lookup = checkedLookup('public', async () => [
    { address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 },
  ]);
  const one = async (name: string): Promise<unknown> => await promisify(lookup)(name, {});

  expect(await one('rebind.example.com')).toBe('93.184.216.34');
  await expect(one('rebind.example.com')).rejects.toThrow(AddressRefused);
});
