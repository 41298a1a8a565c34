import { expect, test } from 'vitest';
import { parseHostField } from './host-field.ts';

test.each([
  ['NAS.Example.com', { host: 'nas.example.com', port: undefined }],
  ['nas.example.com.:8080', { host: 'nas.example.com', port: 8080 }],
  ['[2001:DB8::1]:443', { host: '2001:db8::1', port: 443 }],
  ['localhost:', { host: 'localhost', port: undefined }],
  ['[::1]:', { host: '::1', port: undefined }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
])('%s is read', (field, expected) => expect(parseHostField(field)).toEqual(expected));

test.each([
  '',
  'localhost:65536',
  'localhost:99999',
  'localhost::',
  ':',
  'localhost:-1',
  'a b',
  'user@host',
  '[::1',
  'a/b',
])('"%s" is refused', (field) => expect(parseHostField(field)).toBeUndefined());
