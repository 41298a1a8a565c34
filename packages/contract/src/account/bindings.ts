import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { Timestamp } from '../shared.ts';
import { Done } from './users.ts';

/** 128 random bits. A user who knows this code may add the device that waits for it, for ten minutes. */
const BindingCode = z.string().regex(/^[\w-]{22}$/);
const CodeQuery = z.strictObject({ code: BindingCode });

/** What an agent without a token reports about itself. */
export const BindingOffer = z.strictObject({
  public_key: z.string().regex(/^[\w-]{43}$/),
  name: z.string().max(200),
  platform: z.string().max(100),
  agent_version: z.string().max(50),
});
export type BindingOffer = z.infer<typeof BindingOffer>;
export const OfferedBinding = z.object({ code: BindingCode, expires_at: Timestamp });

/** The state of an agent's binding request. `ended`: it expired or does not exist. */
export const BindingState = z.object({
  state: z.enum(['pending', 'confirmed', 'ended']),
  account: z.string().describe('who confirmed, most of the name covered; empty before that'),
});

/** What the console shows of a device before the user adds it. */
export const Binding = z.object({
  name: z.string(),
  platform: z.string(),
  agent_version: z.string(),
  fingerprint: z.string().describe('of its key, as the agent shows it, too'),
  ip: z.string().describe('the public address that its agent came from'),
  place: z.string().describe('where that is, as far as is known; empty otherwise'),
  is_same_network: z
    .boolean()
    .describe('whether the caller comes from the same public address, or both from private ones'),
  expires_at: Timestamp,
});
export type Binding = z.infer<typeof Binding>;

export const BindingConfirmation = z.strictObject({
  code: BindingCode,
  token_id: z.string().max(64),
  sign: z.string().max(64),
});

/** Adding a device by its agent's link, without copying a token. */
export const bindingEndpoints = {
  'POST /api/agent/binding/': {
    summary: '没有账号令牌的客户端请求绑定：得到一个链接用的代码，10 分钟内有效',
    body: BindingOffer,
    response: OfferedBinding,
    raw: 'program',
    errors: [],
  },
  'GET /api/agent/binding/': {
    summary: '客户端查询绑定请求的状态',
    query: CodeQuery,
    response: BindingState,
    errors: [],
  },
  'GET /api/user/binding/': {
    summary: '等待绑定的设备',
    // A damaged link gets the same answer as an expired one.
    query: z.strictObject({ code: z.string().max(200) }),
    response: Binding,
    errors: ['session.required', 'binding.not-found'],
  },
  'POST /api/user/binding/': {
    summary: '用一次性的设备绑定凭证（token-sign）确认添加这台设备',
    body: BindingConfirmation,
    response: Done,
    errors: ['session.required', 'binding.not-found', 'enrolment.token-invalid'],
  },
} as const satisfies Endpoints;
