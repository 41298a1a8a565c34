import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MAX_RECOVERY_CODE_LENGTH } from '../limits.ts';
import { Id, IdParams, OneTimeCode, personName, Timestamp } from '../shared.ts';
import { Done, LoginReply } from './users.ts';

/**
 * A WebAuthn object (options or response) in the JSON form of W3C WebAuthn Level 3 §5.1. The WebAuthn library checks
 * it.
 */
const WebAuthnJson = z.record(z.string(), z.unknown());
const RecoveryCode = z.string().trim().min(1).max(MAX_RECOVERY_CODE_LENGTH);

/** One alternative of several ways to prove an identity. */
function oneOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape);
}

const secondStep = {
  token: z.string().max(200),
  trust_browser: z.boolean().optional().describe('this browser skips the second step for 30 days'),
};
export const SecondStep = z
  .union([
    oneOf({ ...secondStep, code: OneTimeCode }),
    oneOf({ ...secondStep, recovery_code: RecoveryCode }),
    oneOf({ ...secondStep, passkey: WebAuthnJson }),
  ])
  .describe('Exactly one way of proving it.');
export const SecondStepToken = z.strictObject({ token: z.string().max(200) });
export const WebAuthnOptions = z.object({ options: WebAuthnJson });

/** A browser in which logins to the account skip the second step. */
export const TrustedBrowser = z.object({
  id: Id,
  device: z.string().describe('browser and system, as far as known'),
  ip: z.string().describe('of the last login'),
  place: z.string().describe('empty when unknown'),
  last_used_at: Timestamp,
  trusted_until: Timestamp,
  is_current: z.boolean(),
});
export type TrustedBrowser = z.infer<typeof TrustedBrowser>;

export const ConfirmMethod = z.enum(['totp', 'passkey', 'recovery_code', 'password', 'sms']);
export type ConfirmMethod = z.infer<typeof ConfirmMethod>;

/** How the caller can confirm their identity. With two-step login, only by a second factor. Empty: log in again. */
export const ConfirmState = z.object({ methods: z.array(ConfirmMethod), confirmed_until: Timestamp.nullable() });
export const Confirmation = z
  .union([
    oneOf({ code: OneTimeCode }),
    oneOf({ recovery_code: RecoveryCode }),
    oneOf({ passkey: WebAuthnJson }),
    oneOf({ password: z.string().min(1).max(MAX_PASSWORD_LENGTH) }),
    oneOf({ sms_code: OneTimeCode }),
  ])
  .describe('Exactly one of these.');

export const TotpSetup = z.object({ secret: z.string().describe('base32'), uri: z.string().describe('otpauth://…') });
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()).describe('shown this once') });
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  is_discoverable: z.boolean().nullable().describe('whether it can log in alone; null: unknown'),
  needs_password: z
    .boolean()
    .describe('after a reset of the password it logs in alone only once it has been the second step of a login'),
});
export type Passkey = z.infer<typeof Passkey>;
const PasskeyName = personName(MAX_NAME_LENGTH, 'name.missing');

export const secondFactorEndpoints = {
  'POST /custom/login/passkey_options/': {
    summary: '用通行密钥登录时的参数',
    response: WebAuthnOptions,
    errors: [],
  },
  'POST /custom/login/passkey/': {
    summary: '用通行密钥登录，不需要用户名和第二步',
    body: z.strictObject({ passkey: WebAuthnJson }),
    response: LoginReply,
    errors: ['passkey.login-failed', 'passkey.needs-password', 'second-factor.expired'],
  },
  'GET /api/user/trusted_browsers/': {
    summary: '登录时不需要第二步的浏览器',
    response: z.array(TrustedBrowser),
    errors: ['session.required'],
  },
  'DELETE /api/user/trusted_browsers/{id}/': {
    summary: '不再信任这个浏览器，下次登录需要第二步',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'trusted-browser.not-found'],
  },
  'POST /custom/login/second/': {
    summary: '两步登录的第二步',
    body: SecondStep,
    response: LoginReply,
    errors: ['second-factor.wrong', 'second-factor.expired', 'second-factor.locked', 'login.locked', 'user.disabled'],
  },
  'POST /custom/login/second/passkey_options/': {
    summary: '第二步使用通行密钥时的参数',
    body: SecondStepToken,
    response: WebAuthnOptions,
    errors: ['second-factor.expired'],
  },
  'GET /custom/confirm/': {
    summary: '执行敏感操作前，可以用哪些方式确认身份',
    response: ConfirmState,
    errors: ['session.required'],
  },
  'POST /custom/confirm/': {
    summary: '确认身份，10 分钟内可执行敏感操作',
    body: Confirmation,
    response: ConfirmState,
    errors: [
      'session.required',
      'second-factor.wrong',
      'second-factor.expired',
      'second-factor.locked',
      'password.wrong',
      'code.wrong',
      'code.expired',
      'login.locked',
    ],
  },
  'POST /custom/confirm/passkey_options/': {
    summary: '用通行密钥确认身份时的参数',
    response: WebAuthnOptions,
    errors: ['session.required'],
  },
  'POST /api/user/totp/': {
    summary: '开始设置动态口令',
    response: TotpSetup,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'second-factor.already-on'],
  },
  'POST /api/user/totp/confirm/': {
    summary: '输入一次动态口令以启用',
    body: z.strictObject({ code: OneTimeCode }),
    response: RecoveryCodes,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'second-factor.wrong', 'second-factor.expired'],
  },
  'DELETE /api/user/totp/': {
    summary: '停用动态口令',
    response: Done,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required'],
  },
  'POST /api/user/passkeys/options/': {
    summary: '添加通行密钥的参数',
    response: WebAuthnOptions,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'second-factor.limit-reached'],
  },
  'POST /api/user/passkeys/': {
    summary: '添加通行密钥；首次启用两步登录时返回恢复码',
    body: z.strictObject({ name: PasskeyName, response: WebAuthnJson }),
    response: z.object({ passkey: Passkey, recovery_codes: z.array(z.string()) }),
    status: 201,
    confirmed: true,
    errors: [
      'session.required',
      'session.confirm-required',
      'second-factor.wrong',
      'second-factor.expired',
      'second-factor.limit-reached',
    ],
  },
  'PATCH /api/user/passkeys/{id}/': {
    summary: '重命名通行密钥',
    params: IdParams,
    body: z.strictObject({ name: PasskeyName }),
    response: Passkey,
    errors: ['session.required', 'passkey.not-found'],
  },
  'DELETE /api/user/passkeys/{id}/': {
    summary: '删除通行密钥',
    params: IdParams,
    response: Done,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'passkey.not-found'],
  },
  'POST /api/user/recovery_codes/': {
    summary: '重新生成恢复码，旧的立即失效',
    response: RecoveryCodes,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'second-factor.off'],
  },
} as const satisfies Endpoints;
