import { expect, test } from 'vitest';
import { deviceOf } from '../testing/device-fixtures.ts';
import type { Call } from './client/call-types.ts';
import { listAllDevices } from './devices.ts';

test('every device gets a visible name that cannot reverse the direction of the text around it', async () => {
  const results = ['\u200B', '\u202E群晖', '书房'].map((name) => deviceOf({ name, uid: '3f9a1c22b07e' }));
  const call = (async () => ({ count: 3, next: null, previous: null, results })) as unknown as Call; // the only call that is made
  expect((await listAllDevices(call)).map(({ name }) => name)).toEqual(['3f9a1c22b07e', '群晖', '书房']);
});
