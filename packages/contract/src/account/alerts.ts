import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_ALERT_SECRET_LENGTH, MAX_NAME_LENGTH, MAX_URL_LENGTH } from '../limits.ts';
import { fieldMessage, type FieldMessage } from '../messages/field-messages.ts';
import { Id, IdParams, pageOf, PageQuery, personName, Timestamp } from '../shared.ts';
import { WebUrl } from '../web-url.ts';
import { Done } from './users.ts';

/** The events that an account can be notified of while nobody has the console open. */
export const alertEvents = [
  'device_offline',
  'device_online',
  'new_login',
  'passkey_added',
  'access_request',
  'plan_expiring',
  'plan_expired',
  'ledger_unbalanced',
] as const;
export const AlertEvent = z.enum(alertEvents);
export type AlertEvent = z.infer<typeof AlertEvent>;

export const AlertKind = z.enum(['email', 'webhook', 'wecom', 'dingtalk', 'feishu', 'bark', 'serverchan']);
export type AlertKind = z.infer<typeof AlertKind>;

/** After how many minutes offline the owner is notified. A router restarts in about two minutes. */
export const offlineAfterChoices = [1, 3, 5, 10, 30, 60] as const;
export const DEFAULT_OFFLINE_AFTER_MINUTES = 5;

/**
 * Why a message was not delivered, as the console shows it. `server_error`: the receiving server failed.
 * `mail_unavailable`: this server is not set up to send mail; `mail_failed`: it is, but sending failed.
 */
export const AlertFailure = z.enum([
  'address_refused',
  'unreachable',
  'timeout',
  'server_error',
  'rejected',
  'rate_limited',
  'email_missing',
  'mail_unavailable',
  'mail_failed',
]);
export type AlertFailure = z.infer<typeof AlertFailure>;

const secret = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[\x21-\x7e]*$/, fieldMessage('text.not-ascii'));
const storedUrl = z.string().max(MAX_URL_LENGTH);
function robotUrl(pattern: RegExp, message: FieldMessage) {
  return z.string().trim().max(MAX_URL_LENGTH).regex(pattern, message);
}

/**
 * The destination of the messages. Its secrets allow anybody to post there, so they are encrypted and never returned.
 */
export const AlertTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('email') }).describe('the address that is bound to the account'),
  z.strictObject({
    kind: z.literal('webhook'),
    url: storedUrl,
    secret: secret(MAX_ALERT_SECRET_LENGTH)
      .optional()
      .describe('signs the body: `X-Tongtu-Signature: t=<unix seconds>,v1=<HMAC-SHA256 hex>`'),
  }),
  z.strictObject({
    kind: z.literal('wecom'),
    url: robotUrl(/^https:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[\w-]{10,64}$/, 'alert-url.wecom'),
  }),
  z.strictObject({
    kind: z.literal('dingtalk'),
    url: robotUrl(/^https:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=[\w-]{10,128}$/, 'alert-url.dingtalk'),
    secret: secret(100).optional().describe('加签 of the robot, begins with SEC'),
  }),
  z.strictObject({
    kind: z.literal('feishu'),
    url: robotUrl(
      /^https:\/\/open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/[\w-]{10,64}$/,
      'alert-url.feishu',
    ),
    secret: secret(100).optional().describe('签名校验 of the robot'),
  }),
  z.strictObject({
    kind: z.literal('bark'),
    url: storedUrl.describe('server and device key: https://api.day.app/<key>'),
  }),
  z.strictObject({
    kind: z.literal('serverchan'),
    send_key: z
      .string()
      .trim()
      .max(100)
      .regex(/^(?:SCT[\w-]{10,}|sctp\d+t[\w-]{10,})$/, fieldMessage('serverchan-key.shape')),
  }),
]);
export type AlertTarget = z.infer<typeof AlertTarget>;

/** The rules for a new target. Stored targets may be older than these rules. */
const GivenTarget = AlertTarget.superRefine((target, context) => {
  if (target.kind !== 'webhook' && target.kind !== 'bark') return;
  const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['url'], message });
  // The length has been checked.
  const wrong = WebUrl.safeParse(target.url).error?.issues.find(({ code }) => code !== 'too_big');
  if (wrong !== undefined) refuse(wrong.message);
  else if (target.kind === 'bark' && /^\/*$/.test(URL.parse(target.url)?.pathname ?? ''))
    refuse(fieldMessage('alert-url.bark-key'));
}).describe('A `url` has neither user name nor password in it; that of `bark` has a path, which is the device key.');

const name = personName(MAX_NAME_LENGTH, 'name.missing');
const events = z
  .array(AlertEvent)
  .min(1, fieldMessage('alert-events.none'))
  .max(alertEvents.length)
  .refine((all) => new Set(all).size === all.length, fieldMessage('alert-events.twice'))
  .describe('each at most once');

export const AlertChannel = z.object({
  id: Id,
  kind: AlertKind,
  name: z.string(),
  hint: z.string().describe('identifies the target: the host and the last four characters of the key'),
  has_secret: z.boolean(),
  events: z.array(AlertEvent),
  enabled: z.boolean(),
  last_sent_at: Timestamp.nullable(),
  last_failure: z
    .object({ at: Timestamp, why: AlertFailure })
    .nullable()
    .describe('null again after the next message that arrives'),
});
export type AlertChannel = z.infer<typeof AlertChannel>;

export const AlertChannelCreate = z.strictObject({ name, events, target: GivenTarget });
export type AlertChannelCreate = z.infer<typeof AlertChannelCreate>;
export const AlertChannelPatch = z.strictObject({
  name: name.optional(),
  events: events.optional(),
  enabled: z.boolean().optional(),
  target: GivenTarget.optional().describe('of the same kind; takes the place of the whole target'),
});
export type AlertChannelPatch = z.infer<typeof AlertChannelPatch>;

export const AlertSettings = z.object({
  offline_after_minutes: z.number().int(),
  channels: z.array(AlertChannel),
});
export type AlertSettings = z.infer<typeof AlertSettings>;
export const AlertSettingsPatch = z.strictObject({ offline_after_minutes: z.literal(offlineAfterChoices) });

export const AlertDelivery = z.object({
  id: Id,
  channel: z.object({ id: Id, kind: AlertKind, name: z.string() }),
  event: AlertEvent.or(z.literal('test')),
  text: z.string().describe('what was said, in one line'),
  created_at: Timestamp,
  state: z.enum(['waiting', 'sent', 'failed']),
  failure: AlertFailure.nullable().describe('of the last try'),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

const channelErrors = ['session.required', 'alert.channel-not-found'] as const;

export const alertEndpoints = {
  'GET /api/user/alerts/': { summary: '提醒设置', response: AlertSettings, errors: ['session.required'] },
  'PATCH /api/user/alerts/': {
    summary: '修改提醒设置',
    body: AlertSettingsPatch,
    response: AlertSettings,
    errors: ['session.required'],
  },
  'POST /api/user/alerts/channels/': {
    summary: '添加提醒方式',
    body: AlertChannelCreate,
    response: AlertChannel,
    status: 201,
    confirmed: true,
    errors: [
      'session.required',
      'session.confirm-required',
      'alert.limit-reached',
      'alert.mail-unavailable',
      'alert.email-missing',
      'alert.address-refused',
    ],
  },
  'PATCH /api/user/alerts/channels/{id}/': {
    summary: '修改提醒方式',
    params: IdParams,
    body: AlertChannelPatch,
    response: AlertChannel,
    confirmed: 'by-content',
    errors: [
      ...channelErrors,
      'session.confirm-required',
      'alert.kind-fixed',
      'alert.mail-unavailable',
      'alert.address-refused',
    ],
  },
  'DELETE /api/user/alerts/channels/{id}/': {
    summary: '删除提醒方式',
    params: IdParams,
    response: Done,
    confirmed: true,
    errors: [...channelErrors, 'session.confirm-required'],
  },
  'POST /api/user/alerts/channels/{id}/test/': {
    summary: '立即发送一条测试提醒，返回结果',
    params: IdParams,
    response: AlertDelivery,
    errors: [...channelErrors, 'request.too-many'],
  },
  'GET /api/user/alerts/deliveries/': {
    summary: '最近 30 天的提醒，最近的在前',
    query: PageQuery,
    response: pageOf(AlertDelivery),
    errors: ['session.required'],
  },
} as const satisfies Endpoints;
