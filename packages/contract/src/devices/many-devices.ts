import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_DEVICES_AT_ONCE } from '../limits.ts';
import { Id, GivenId } from '../shared.ts';
import { DeviceGroup } from './devices.ts';

const ManyIds = z
  .array(GivenId)
  .min(1)
  .max(MAX_DEVICES_AT_ONCE)
  .describe('of devices; one that is named twice counts once');

export const ManyDevicesPatch = z
  .strictObject({
    ids: ManyIds,
    pinned: z.boolean().optional(),
    enabled: z.boolean().optional(),
    group: DeviceGroup.optional(),
  })
  .describe('the same for each of the devices');
export type ManyDevicesPatch = z.infer<typeof ManyDevicesPatch>;

export const ManyDevicesDelete = z.strictObject({ ids: ManyIds });

/** What became of each device. */
export const ManyDevicesReply = z.object({
  done: z.array(Id),
  refused: z.array(
    z.object({
      id: Id,
      code: z.enum(['device.not-found', 'device.suspended']),
      detail: z.string().describe('the reason, in the language of the reader'),
    }),
  ),
});
export type ManyDevicesReply = z.infer<typeof ManyDevicesReply>;

export const manyDevicesEndpoints = {
  'PATCH /api/user/routers/': {
    summary: '批量修改设备',
    description: 'One transaction. A device that cannot be changed is named in `refused`; the others are changed.',
    body: ManyDevicesPatch,
    response: ManyDevicesReply,
    scope: 'devices:write',
    confirmed: 'by-content',
    errors: ['session.required', 'session.confirm-required'],
  },
  'POST /api/user/routers/delete/': {
    summary: '批量删除设备及其全部域名映射',
    description: 'One device after another. One that is not there is named in `refused`; the others are deleted.',
    body: ManyDevicesDelete,
    response: ManyDevicesReply,
    scope: 'devices:write',
    confirmed: 'by-content',
    errors: ['session.required', 'session.confirm-required'],
  },
} as const satisfies Endpoints;
