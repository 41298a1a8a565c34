import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';

/**
 * Who may create an account. `open`: anybody with a phone number or WeChat, if the operator has set these up;
 * `invitation`: people who were invited by staff or to a mapping; `closed`: only people whom staff invites.
 */
export const Registration = z.enum(['open', 'invitation', 'closed']);
export type Registration = z.infer<typeof Registration>;

export const RegistrationSettings = z.object({
  registration: Registration,
  methods: z.array(z.enum(['phone', 'wechat'])).describe('what an open registration goes by; empty: nothing is set up'),
  mail: z.boolean().describe('invitations can be sent by mail'),
});
export type RegistrationSettings = z.infer<typeof RegistrationSettings>;

const refused = ['session.required', 'session.forbidden'] as const;

export const registrationEndpoints = {
  'GET /api/manage/registration/': {
    summary: '谁可以注册账号（管理员）',
    response: RegistrationSettings,
    role: 'staff',
    errors: refused,
  },
  'PATCH /api/manage/registration/': {
    summary: '设置谁可以注册账号（管理员）',
    body: z.strictObject({ registration: Registration }),
    response: RegistrationSettings,
    role: 'staff',
    confirmed: true,
    errors: [...refused, 'session.confirm-required'],
  },
} as const satisfies Endpoints;
