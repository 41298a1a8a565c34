import { expect, test } from 'vitest';
import { linkAddress } from './link-address.ts';

test.each([
  ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
  ['https://exаmple.com/', 'https://xn--exmple-4nf.com/'],
  ['https://example.com/\u202Egpj.exe', 'https://example.com/%E2%80%AEgpj.exe'],
])('%s is shown as %s', (text, shown) => {
  expect(linkAddress(text)).toBe(shown);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ssh://host',
  'https://bank.example@evil.example/',
  'https://:secret@evil.example/',
  'not a link',
])('%s is not opened', (text) => {
  expect(linkAddress(text)).toBeUndefined();
});
