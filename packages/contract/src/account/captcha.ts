import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { EmailAddress, OneTimeCode, Timestamp } from '../shared.ts';

/** The captcha widgets of specification §2. The "button" widget there opens any of these. */
export const CaptchaType = z.enum(['click', 'slide', 'drag', 'rotate']);
export type CaptchaType = z.infer<typeof CaptchaType>;

/** The purpose of a captcha ticket. A ticket is refused for any other purpose. */
export const CaptchaPurpose = z.enum(['login', 'sms', 'gate_password', 'redeem']);
export type CaptchaPurpose = z.infer<typeof CaptchaPurpose>;

const Key = z.string().min(1).max(64);
const Picture = z.string().describe('a data: URL');
const shown = { key: Key, image: Picture, thumb: Picture, expires_at: Timestamp };

/**
 * The fields of specification §3, "Captcha data", in pixels of the 300 × 220 image and degrees clockwise. `angle`, or
 * `thumbX` and `thumbY`, is where the thumb starts. The answer gives its final angle, or the final place of its upper
 * left corner.
 */
export const CaptchaChallenge = z.discriminatedUnion('type', [
  z.object({ type: z.literal('click'), ...shown }),
  z.object({
    type: z.enum(['slide', 'drag']),
    ...shown,
    thumbX: z.number(),
    thumbY: z.number(),
    thumbWidth: z.number(),
    thumbHeight: z.number(),
  }),
  z.object({ type: z.literal('rotate'), ...shown, thumbSize: z.number(), angle: z.number() }),
]);
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;

/** Creates a challenge for a purpose, or fetches the one that `GET /api/verify/captcha/init/` created. */
export const CaptchaQuery = z
  .strictObject({
    purpose: CaptchaPurpose.optional(),
    key: Key.optional(),
    type: CaptchaType.optional().describe(
      '`click` for a caller who would rather have that; which of the others it is, the server alone chooses',
    ),
  })
  .refine(({ purpose, key }) => (purpose === undefined) !== (key === undefined), fieldMessage('captcha.purpose-or-key'))
  .describe('Exactly one of `purpose` and `key`.');

const Pixel = z.number().min(-50).max(400);
const Moment = z.number().int().nonnegative().describe('milliseconds; only differences count');
/** The positions of the handle during the drag. Each keyboard step is one point. */
const Trail = z.array(z.strictObject({ x: Pixel, y: Pixel, t: Moment })).max(2_000);

export const CaptchaAnswer = z
  .strictObject({
    key: Key,
    answer: z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('click'),
        dots: z
          .array(z.strictObject({ index: z.number().int().min(1).max(10), x: Pixel, y: Pixel, t: Moment }))
          .max(10),
      }),
      z.strictObject({ type: z.enum(['slide', 'drag']), x: Pixel, y: Pixel, trail: Trail }),
      z.strictObject({ type: z.literal('rotate'), angle: z.number().min(0).max(360), trail: Trail }),
    ]),
  })
  .describe('The `type` of the answer is that of the challenge with this `key`.');
export type CaptchaAnswer = z.infer<typeof CaptchaAnswer>;

/** Valid once, for 5 minutes, in the same browser and for the purpose of its challenge. */
export const CaptchaTicket = z.object({ ticket: z.string(), expires_at: Timestamp });

export const CaptchaMailRequest = z.strictObject({ purpose: CaptchaPurpose, email: EmailAddress });
export const CaptchaMailAnswer = z.strictObject({
  purpose: CaptchaPurpose,
  email: EmailAddress,
  code: OneTimeCode,
});

export const CaptchaNeed = z.object({
  required: z.boolean(),
  type: CaptchaType.nullable(),
  key: z.string().nullable().describe('of the challenge to fetch with GET /captcha/?key='),
});

export const captchaEndpoints = {
  'GET /captcha/': {
    summary: '获取一个人机验证',
    query: CaptchaQuery,
    response: CaptchaChallenge,
    changes: true,
    errors: ['captcha.expired'],
  },
  'POST /captcha/': {
    summary: '提交人机验证的答案，换取一次性凭证；点选以外的验证须连续完成两次（captcha.once-more）',
    body: CaptchaAnswer,
    response: CaptchaTicket,
    errors: ['captcha.wrong', 'captcha.expired', 'captcha.once-more'],
  },
  'POST /captcha/email/': {
    summary: '看不清图片时：向任意邮箱发送验证码代替人机验证，不论是否绑定了账号',
    body: CaptchaMailRequest,
    response: z.object({ retry_after: z.number().int().describe('seconds until another one may be asked for') }),
    errors: ['code.too-often', 'code.daily-limit', 'mail.unavailable'],
  },
  'POST /captcha/email/answer/': {
    summary: '用邮箱验证码换取人机验证的一次性凭证',
    body: CaptchaMailAnswer,
    response: CaptchaTicket,
    errors: ['code.wrong', 'code.expired'],
  },
  'GET /api/verify/captcha/init/': {
    summary: '这个用途是否需要人机验证',
    query: z.strictObject({ purpose: CaptchaPurpose }),
    response: CaptchaNeed,
    errors: [],
  },
} as const satisfies Endpoints;
