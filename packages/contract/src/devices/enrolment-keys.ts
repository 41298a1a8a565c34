import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import { MAX_ENROLMENT_KEY_HOURS, MAX_NAME_LENGTH } from '../limits.ts';
import { Id, IdParams, personName, personText, Timestamp } from '../shared.ts';

export const EnrolmentKey = z.object({
  id: Id,
  name: z.string(),
  device_name: z.string().describe('the name that a device gets; empty: its host name'),
  hint: z.string().describe('the first letters of the key'),
  is_reusable: z.boolean().describe('false: it enrols one device'),
  use_count: z.number().int().nonnegative(),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  state: z.enum(['active', 'used', 'expired']),
});
export type EnrolmentKey = z.infer<typeof EnrolmentKey>;

export const EnrolmentKeyCreate = z.strictObject({
  name: personName(MAX_NAME_LENGTH, 'name.missing'),
  device_name: personText(MAX_NAME_LENGTH).default(''),
  is_reusable: z.boolean(),
  valid_hours: z.number().int().min(1).max(MAX_ENROLMENT_KEY_HOURS),
});

/** Keys that enrol agents in place of the account token. */
export const enrolmentKeyEndpoints = {
  'GET /api/user/enrolment_keys/': {
    summary: '添加设备用的接入密钥',
    response: z.array(EnrolmentKey),
    errors: ['session.required'],
  },
  'POST /api/user/enrolment_keys/': {
    summary: '新建接入密钥，密钥只显示这一次',
    body: EnrolmentKeyCreate,
    response: z.object({ enrolment_key: EnrolmentKey, key: z.string() }),
    status: 201,
    confirmed: 'by-content',
    errors: ['session.required', 'session.confirm-required', 'enrolment-key.limit-reached'],
  },
  'DELETE /api/user/enrolment_keys/{id}/': {
    summary: '撤销接入密钥；已添加的设备不受影响',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'enrolment-key.not-found'],
  },
} as const satisfies Endpoints;
