import { expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { allowListMessages } from './allow-list-messages.ts';
import { allowListProblem, readAllowListText } from './read-allow-list.ts';

test('entries are read a line each, as people type them, and keep the number of their line', () => {
  expect(readAllowListText(' 203.0.113.7 \r\n\n２０３。０。１１３。０/24，\nfd00::/8;')).toEqual([
    { line: 1, entry: '203.0.113.7' },
    { line: 3, entry: '203.0.113.0/24' },
    { line: 4, entry: 'fd00::/8' },
  ]);
  expect(readAllowListText(' \n')).toEqual([]);
});

test.each(['203.0.113.7', '203.0.113.0/24', '10.0.0.0/8', '2001:db8::1', '2001:db8::/48', '::ffff:203.0.113.7'])(
  '%s may stand in the list',
  (entry) => {
    expect(allowListProblem(entry)).toBeUndefined();
  },
);

test.each([
  'nas.local',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.7/33',
  'fd00::/129',
  'fd00::g',
  '1.2.3.4/',
  '1.2.3.4/08',
  ':::',
])('%s is refused before it is sent', (entry) => {
  expect(allowListProblem(entry)).toContain('请输入 IP 地址或网段');
});

test('an entry that lets everybody in is refused with a hint at public mappings', () => {
  expect(['0.0.0.0/0', '128.0.0.0/1', '::/0', '2000::/3'].map(allowListProblem)).toEqual(
    Array(4).fill(expect.stringContaining('请把域名映射的访问权限改为公开')),
  );
});

test('a message of the server names the line of its entry', () => {
  const fields = { 'allow_list.1': ['不是地址'], 'allow_list.9': ['没有这一行'], name: ['别的'] };
  const more = { status: 422, detail: '', requestId: '', retryAfterSeconds: undefined };
  const error = new ApiError({ type: 'problem', code: 'device.allow-list-invalid', fields, ...more });
  expect(allowListMessages(error, readAllowListText('203.0.113.7\n\n300.1.1.1'))).toEqual([
    '第 3 行 300.1.1.1：不是地址',
  ]);
});
