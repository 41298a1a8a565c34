import { expect, test } from 'vitest';
import { recordToSet } from './record-to-set.ts';

test.each([
  ['t.example.com', '192.168.1.5', { type: 'CNAME', value: 't.example.com' }],
  ['localhost', '203.0.113.5', { type: 'A', value: '203.0.113.5' }],
  ['localhost', '[2001:db8::5]', { type: 'AAAA', value: '2001:db8::5' }],
  ['localhost', 'home.example.org', { type: 'CNAME', value: 'home.example.org' }],
  ['localhost', 'localhost', undefined],
  ['localhost', 'panel.localhost', undefined],
  ['localhost', '127.0.0.1', undefined],
])('with the suffix %s and the console at %s the record to set is %j', (suffix, consoleHost, record) => {
  expect(recordToSet(suffix, consoleHost)).toEqual(record);
});
