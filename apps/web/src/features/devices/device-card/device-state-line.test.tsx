import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { DeviceStateLine } from './device-state-line.tsx';

afterEach(cleanup);

test('a line that loses packets is named with its loss and round trip, as long as the device is online', () => {
  const lossy = { lossy_line: { loss_percent: 3.25, rtt_ms: 120 } };
  const { rerender } = render(<DeviceStateLine device={deviceOf(lossy)} />);
  screen.getByText('线路丢包');
  screen.getByText('约 3.3 %，往返 120 毫秒');
  screen.getByTitle(/最近几分钟/);
  rerender(<DeviceStateLine device={deviceOf({ ...lossy, online: false, state: 'offline' })} />);
  expect(screen.queryByText('线路丢包')).toBeNull();
  rerender(<DeviceStateLine device={deviceOf()} />);
  expect(screen.queryByText('线路丢包')).toBeNull();
});
