import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { show } from '../../testing/show.tsx';
import { DeviceDialogs } from './device-dialogs.tsx';

afterEach(cleanup);

const opened = deviceOf({ mappings: [] });
const present = deviceOf({ mappings: [mappingOf({ domain: 'nas.localhost' })] });

test.each([
  ['one device', { type: 'delete-device', device: opened }],
  ['several devices', { type: 'delete-devices', devices: [opened, deviceOf({ id: 8, name: '书房' })] }],
] as const)('before %s, a mapping that was added meanwhile is listed among what is deleted', async (_name, dialog) => {
  show(<DeviceDialogs dialog={dialog} devices={[present]} onOpen={() => undefined} onClose={() => undefined} />, {});
  expect((await screen.findByText('nas.localhost')).closest('[role=dialog]')).not.toBeNull();
});
