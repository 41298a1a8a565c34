import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';

/** The tasks for a first administrator; true means done. */
export const FirstSteps = z.object({
  is_shown: z.boolean().describe('false: for somebody else, or dismissed'),
  password: z.boolean().describe('the one-time password was changed'),
  second_factor: z.boolean(),
  alert: z.boolean(),
  domain: z.boolean().describe('the installation has a domain of its own'),
  backup: z.boolean().describe('the administrator has said so: the server cannot see it'),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const FirstStepsPatch = z.strictObject({
  is_shown: z.literal(false).optional(),
  backup: z.boolean().optional(),
});

export const firstStepsEndpoints = {
  'GET /api/manage/first_steps/': {
    summary: '第一个管理员的首要步骤',
    response: FirstSteps,
    role: 'superuser',
    errors: ['session.required', 'session.forbidden'],
  },
  'PATCH /api/manage/first_steps/': {
    summary: '收起首要步骤，或标明已设置备份',
    body: FirstStepsPatch,
    response: FirstSteps,
    role: 'superuser',
    errors: ['session.required', 'session.forbidden'],
  },
} as const satisfies Endpoints;
