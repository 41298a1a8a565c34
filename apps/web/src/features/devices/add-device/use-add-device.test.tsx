import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, test, vi } from 'vitest';
import { useDevices } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { useWatchForDevice } from './use-add-device.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Waiting() {
  useWatchForDevice(true);
  return (
    <p>
      {useDevices()
        .data?.map(({ name }) => name)
        .join()}
    </p>
  );
}

test('a new device appears also where the list takes longer than the time between two looks', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let devices = [deviceOf({ name: '旧设备' })];
  let answersAfterMs = 0;
  show(<Waiting />, {
    'GET /api/user/routers/': async () => {
      const reply = { count: devices.length, next: null, previous: null, results: devices };
      await new Promise((resolve) => setTimeout(resolve, answersAfterMs));
      return reply;
    },
  });
  await screen.findByText('旧设备');
  devices = [...devices, deviceOf({ id: 8, name: '新设备' })];
  answersAfterMs = 3_000;
  await act(async () => await vi.advanceTimersByTimeAsync(9_000));
  screen.getByText('旧设备,新设备');
});
