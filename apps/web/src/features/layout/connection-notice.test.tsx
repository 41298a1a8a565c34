import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { ConnectionNotice } from './connection-notice.tsx';

afterEach(cleanup);

test.each([
  ['offline', /^网络连接已断开/],
  ['server-away', /^连不上服务器/],
] as const)('%s is named as what it is', (connection, words) => {
  show(<ConnectionNotice connection={connection} />, {});
  expect(screen.getByText(words)).toBeDefined();
});

test('nothing is said while the connection stands', () => {
  show(<ConnectionNotice connection="connected" />, {});
  expect(screen.queryByRole('alert')).toBeNull();
});
