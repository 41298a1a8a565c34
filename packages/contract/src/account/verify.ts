import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_PASSWORD_LENGTH, MAX_PHONE_LENGTH } from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { EmailAddress, OneTimeCode } from '../shared.ts';
import { Done, LoginReply, NewPassword } from './users.ts';

/** As typed. The server checks whether the number is valid (`phone.invalid`). */
export const PhoneNumber = z
  .string()
  .trim()
  .min(1, fieldMessage('phone.missing'))
  .max(MAX_PHONE_LENGTH, fieldMessage('phone.too-long'));
const Ticket = z.string().max(200).optional().describe('of a solved captcha');

/** `rebind_old` and `confirm` send to the caller's own number, the others to `phone`. */
export const SmsPurpose = z.enum(['login', 'bind', 'rebind', 'rebind_old', 'reset', 'confirm']);
export type SmsPurpose = z.infer<typeof SmsPurpose>;

export const SmsRequest = z
  .strictObject({ phone: PhoneNumber.optional(), purpose: SmsPurpose, ticket: Ticket })
  .describe(
    '`rebind_old` and `confirm` send to the caller’s own number; every other purpose needs a `phone`. `login` and `reset` are for ' +
      'everybody, the others need a login. Without a login a `ticket` is needed.',
  );
export const CodeSent = z.object({
  retry_after: z.number().int().describe('seconds until another one may be asked for'),
  expires_in: z.number().int().describe('seconds for which the code counts'),
});

export const EmailRequest = z.strictObject({ email: EmailAddress });

export const PhoneBind = z.strictObject({ phone: PhoneNumber, code: OneTimeCode });
export const PhoneRebind = z
  .strictObject({
    phone: PhoneNumber,
    code: OneTimeCode,
    old_code: OneTimeCode.optional(),
    password: z.string().max(MAX_PASSWORD_LENGTH).optional(),
  })
  .refine((body) => (body.old_code === undefined) !== (body.password === undefined), {
    path: ['old_code'],
    message: fieldMessage('rebind.proof-missing'),
  })
  .describe('Exactly one of `old_code` and `password`.');
export const PasswordReset = z.strictObject({ phone: PhoneNumber, code: OneTimeCode, new_password: NewPassword });
export const PhoneLogin = z.strictObject({
  phone: PhoneNumber,
  code: OneTimeCode,
  accepted_terms: z.literal(true, fieldMessage('terms.not-accepted')),
  aff: z.string().max(64).optional(),
});

const sending = [
  'captcha.required',
  'captcha.ticket-expired',
  'phone.invalid',
  'code.too-often',
  'code.daily-limit',
  'sms.used-up',
  'sms.unavailable',
] as const;

/** Codes: 6 digits, 5 minutes, 5 tries, one use; 60 s between two, 10 a day for a number. */
export const verifyEndpoints = {
  'POST /api/verify/sms/send/': {
    summary: '发送短信验证码；号码是否注册过，回答都一样',
    body: SmsRequest,
    response: CodeSent,
    errors: [...sending, 'session.required', 'phone.not-bound'],
  },
  'POST /api/verify/phone/bind/': {
    summary: '绑定手机号',
    body: PhoneBind,
    response: Done,
    confirmed: true,
    errors: [
      'session.required',
      'session.confirm-required',
      'phone.invalid',
      'phone.taken',
      'phone.already-bound',
      'code.wrong',
      'code.expired',
    ],
  },
  'POST /api/verify/phone/rebind/': {
    summary: '更换手机号：须原手机号的验证码或登录密码',
    body: PhoneRebind,
    response: Done,
    confirmed: 'with-factor',
    errors: [
      'session.required',
      'session.confirm-required',
      'phone.invalid',
      'phone.taken',
      'phone.not-bound',
      'code.wrong',
      'code.expired',
      'password.wrong',
      'login.locked',
    ],
  },
  'POST /api/verify/password/reset/': {
    summary: '用手机验证码重设密码，并退出全部登录',
    body: PasswordReset,
    response: Done,
    errors: ['phone.invalid', 'phone.unknown', 'code.wrong', 'code.expired'],
  },
  'POST /api/verify/login/phone/': {
    summary: '用手机验证码登录或注册',
    body: PhoneLogin,
    response: LoginReply,
    errors: [
      'phone.invalid',
      'code.wrong',
      'code.expired',
      'user.disabled',
      'registration.by-invitation',
      'registration.closed',
    ],
  },
  'POST /api/verify/email/send/': {
    summary: '向要绑定的邮箱发送验证码',
    body: EmailRequest,
    response: CodeSent,
    errors: ['session.required', 'code.too-often', 'code.daily-limit', 'mail.unavailable'],
  },
} as const satisfies Endpoints;
