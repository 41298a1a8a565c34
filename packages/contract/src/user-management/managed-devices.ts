import { z } from 'zod';
import { DevicePlan, DeviceState } from '../devices/devices.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_SEARCH_LENGTH } from '../limits.ts';
import { Id, IdDigits, IdParams, pageOf, PageQuery, Timestamp } from '../shared.ts';

/** A device as staff sees it. */
export const ManagedDevice = z.object({
  id: Id,
  uid: z.string(),
  name: z.string(),
  user: z.object({ id: Id, username: z.string() }),
  state: DeviceState,
  state_since: Timestamp.nullable(),
  server: z.string().describe('name of its region'),
  public_ip: z.string(),
  agent_version: z.string(),
  platform: z.string(),
  mapping_count: z.number().int(),
  plan: DevicePlan.nullable().describe('null: none, or billing is off'),
  suspended_at: Timestamp.nullable(),
  created_at: Timestamp,
});
export type ManagedDevice = z.infer<typeof ManagedDevice>;

const refused = ['session.required', 'session.forbidden'] as const;
const onOne = [...refused, 'device.not-found', 'user.superuser'] as const;

/** For staff. Only a superuser may suspend a superuser's device. */
export const managedDeviceEndpoints = {
  'GET /api/manage/devices/': {
    summary: '全部设备（管理员），按编号排列',
    query: PageQuery.extend({
      search: z
        .string()
        .trim()
        .max(MAX_SEARCH_LENGTH)
        .optional()
        .describe('part of the name, the uid or the user name of the owner, in any case of letters'),
      user: IdDigits.optional().describe('only devices of this account'),
      suspended: z.enum(['true', 'false']).optional(),
    }),
    response: pageOf(ManagedDevice),
    role: 'staff',
    errors: refused,
  },
  'POST /api/manage/devices/{id}/suspended/': {
    summary: '停用设备（管理员）：立即断开设备和访客，用户不能自行启用',
    params: IdParams,
    response: ManagedDevice,
    role: 'staff',
    confirmed: true,
    errors: [...onOne, 'session.confirm-required'],
  },
  'DELETE /api/manage/devices/{id}/suspended/': {
    summary: '取消停用设备（管理员）',
    params: IdParams,
    response: ManagedDevice,
    role: 'staff',
    confirmed: true,
    errors: [...onOne, 'session.confirm-required'],
  },
} as const satisfies Endpoints;
