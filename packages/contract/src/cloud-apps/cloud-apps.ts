import { z } from 'zod';
import { Done } from '../account/users.ts';
import type { Endpoints } from '../endpoint.ts';
import {
  MAX_APP_PATH_LENGTH,
  MAX_APP_SECRET_LENGTH,
  MAX_APP_USERNAME_LENGTH,
  MAX_HOST_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PRIVATE_KEY_LENGTH,
  MAX_USERNAME_LENGTH,
  MAX_WAKE_TIMES,
} from '../limits.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdDigits, IdParams, PageQuery, pageOf, personName, personText, Timestamp, GivenId } from '../shared.ts';
import { appFailures } from './app-failures.ts';
import { cloudAppKinds, initialAppOptions } from './app-kinds.ts';
import { nameEncodings } from './byte-names.ts';
import { MacAddress, WakeTime } from './waking.ts';

export const cloudAppKindSchema = z.enum(cloudAppKinds as [(typeof cloudAppKinds)[number], ...typeof cloudAppKinds]);

const secret = z.string().min(1).max(MAX_APP_SECRET_LENGTH);
const portRule = fieldMessage('port.range');

const wakeTimes = z.array(WakeTime).max(MAX_WAKE_TIMES).describe('wol only: when the host is woken by itself');

const optionFields = {
  username: personText(MAX_APP_USERNAME_LENGTH),
  domain: personText(MAX_APP_USERNAME_LENGTH).describe('Windows domain or workgroup; empty: none'),
  path: z
    .string()
    .max(MAX_APP_PATH_LENGTH)
    .describe(
      'the folder that is shown first; of smb `/share/folder`; of aria2 the path of JSON-RPC, empty: `/jsonrpc`',
    ),
  encoding: z
    .enum(['utf-8', 'gbk', 'big5'])
    .describe(
      'of a terminal, in both directions; of vnc that of the clipboard of a server that knows no Unicode, where utf-8 is Latin-1. gbk is GB18030, which contains it',
    ),
  name_encoding: z
    .enum(nameEncodings)
    .describe(
      'of names of files; auto: UTF-8, and GB18030 where a name is no UTF-8. New names are written in it, with auto like the others of their folder',
    ),
  tls: z.boolean().describe('webdav or aria2 over https'),
  mac: MacAddress.describe('MAC address of the host, to wake it; empty: cannot be woken. Required by wol'),
  old_algorithms: z
    .boolean()
    .describe('ssh or sftp: also algorithms of devices of before 2014, which an attacker in the network can break'),
};

/** How the app logs in and what it shows first. Each kind has some of them (`appKinds`). */
export const CloudAppOptions = z.strictObject({
  username: optionFields.username.default(initialAppOptions.username),
  domain: optionFields.domain.default(initialAppOptions.domain),
  path: optionFields.path.default(initialAppOptions.path),
  encoding: optionFields.encoding.default(initialAppOptions.encoding),
  name_encoding: optionFields.name_encoding.default(initialAppOptions.name_encoding),
  tls: optionFields.tls.default(initialAppOptions.tls),
  mac: optionFields.mac.default(initialAppOptions.mac),
  old_algorithms: optionFields.old_algorithms.default(initialAppOptions.old_algorithms),
});
export type CloudAppOptions = z.infer<typeof CloudAppOptions>;

/** They can be set, but are never returned. Null deletes one, so that each session asks for it. */
export const CloudAppSecrets = z.strictObject({
  password: secret.nullable().optional(),
  private_key: z.string().min(1).max(MAX_PRIVATE_KEY_LENGTH).nullable().optional(),
  passphrase: secret.nullable().optional(),
});
export type CloudAppSecrets = z.infer<typeof CloudAppSecrets>;

export const CloudApp = z.object({
  id: Id,
  router: Id,
  kind: cloudAppKindSchema,
  name: z.string(),
  host: z.string(),
  port: z.number().int(),
  options: CloudAppOptions,
  has_password: z.boolean(),
  has_private_key: z.boolean(),
  has_passphrase: z.boolean(),
  host_key: z
    .string()
    .nullable()
    .describe('the fingerprint of the SSH host key, from the first session; null: not seen'),
  wake_times: z.array(WakeTime).describe('wol only'),
  needs_second_factor: z.boolean().describe('a session begins only after a confirmation by the second factor'),
  enabled: z.boolean(),
  is_own: z.boolean().describe('false: the caller is a member'),
  owner: z.string().describe('username of the owner of the device'),
  router_name: z.string(),
  router_online: z.boolean(),
  member_count: z.number().int().nonnegative().describe('who have accepted; 0 for members'),
  created_at: Timestamp,
});
export type CloudApp = z.infer<typeof CloudApp>;

const Host = z.string().trim().toLowerCase().min(1, fieldMessage('host.shape')).max(MAX_HOST_LENGTH);
const Port = z.number(portRule).int(portRule).min(1, portRule).max(65_535, portRule);

export const CloudAppCreate = z.strictObject({
  router: GivenId,
  kind: cloudAppKindSchema,
  name: personName(MAX_NAME_LENGTH, 'name.missing'),
  host: Host.describe('an address or a name of the device’s own network, as the target of a mapping'),
  port: Port.optional().describe('absent: the usual one of the kind'),
  options: CloudAppOptions.prefault({}),
  secrets: CloudAppSecrets.prefault({}),
  wake_times: wakeTimes.default([]),
  needs_second_factor: z.boolean().default(false),
});
export type CloudAppCreate = z.infer<typeof CloudAppCreate>;

export const CloudAppPatch = z.strictObject({
  name: personName(MAX_NAME_LENGTH, 'name.missing').optional(),
  host: Host.optional(),
  port: Port.optional(),
  // Not `CloudAppOptions.partial()`, which would set the options that are absent to their defaults.
  options: z.strictObject(optionFields).partial().optional(),
  secrets: CloudAppSecrets.optional(),
  host_key: z.null().optional().describe('null: forget the host key, so that the next session shows it again'),
  wake_times: wakeTimes.optional(),
  needs_second_factor: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
export type CloudAppPatch = z.infer<typeof CloudAppPatch>;

/** The specification's calls carry `format=json`; absent it means the same. */
const Format = z.object({ format: z.literal('json').optional() });

/** Another account that may open an app, or to which it is offered. */
export const CloudAppMember = z.object({
  id: Id,
  account: z.string().describe('its username; of an offer as it was given, whether or not there is such an account'),
  created_at: Timestamp,
  accepted_at: Timestamp.nullable().describe('null: it is offered, and cannot be opened'),
});
export type CloudAppMember = z.infer<typeof CloudAppMember>;

/** Somebody else's app that the caller may accept. */
export const CloudAppOffer = z.object({
  id: Id,
  name: z.string(),
  kind: cloudAppKindSchema,
  owner: z.string().describe('username of who offers it'),
  created_at: Timestamp,
});
export type CloudAppOffer = z.infer<typeof CloudAppOffer>;

export const CloudAppSession = z.object({
  id: Id,
  app: Id.nullable().describe('null: the app was deleted'),
  app_name: z.string(),
  kind: cloudAppKindSchema,
  router_name: z.string(),
  account: z.string().describe('who opened it'),
  is_own: z.boolean().describe('the caller opened it'),
  ip: z.string(),
  user_agent: z.string(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable().describe('null: it is open'),
  kept_until: Timestamp.nullable().describe('a terminal whose page is closed runs on until then'),
  can_be_resumed: z.boolean().describe('this login may open it again, with its shell as it is'),
  end_reason: z.enum(Object.keys(appFailures) as [keyof typeof appFailures]).nullable(),
  bytes_in: z.number().int().nonnegative().describe('to the target'),
  bytes_out: z.number().int().nonnegative().describe('from the target'),
});
export type CloudAppSession = z.infer<typeof CloudAppSession>;

/** Which session of the app is opened. */
const SessionChoice = z.strictObject({
  resume: IdDigits.optional().describe('this one, if it is a terminal of the same login; its page loses it'),
  fresh: z.literal('true').optional().describe('a new one in any case'),
});

/** The session that was opened. Its cookie is valid below `path` alone, where the gateway answers, see docs/adr/0023. */
export const CloudAppOpened = z.object({
  id: Id,
  path: z.string().describe('`/apps/` and a random name'),
  is_resumed: z.boolean().describe('a session that had begun before'),
  app: CloudApp,
});
export type CloudAppOpened = z.infer<typeof CloudAppOpened>;

const own = ['session.required', 'cloud-app.not-found'] as const;
const targetErrors = ['mapping.target-not-private', 'mapping.target-credentials'] as const;

/** Apps that open inside the browser, through a device: terminals, desktops and files. */
export const cloudAppEndpoints = {
  'GET /api/user/cloud_apps/': {
    summary: '我的远程应用，以及别人分享给我的',
    query: Format,
    response: z.array(CloudApp),
    errors: ['session.required'],
  },
  'POST /api/user/cloud_apps/': {
    summary: '新建远程应用',
    query: Format,
    body: CloudAppCreate,
    response: CloudApp,
    status: 201,
    confirmed: 'by-content',
    errors: [
      'session.required',
      'session.confirm-required',
      'device.not-found',
      'cloud-app.managed-by-frpc',
      'cloud-app.limit-reached',
      'cloud-app.option-not-possible',
      ...targetErrors,
    ],
  },
  'PATCH /api/user/cloud_apps/{id}/': {
    summary: '修改远程应用；密码和密钥只写不读，null 为清除',
    params: IdParams,
    query: Format,
    body: CloudAppPatch,
    response: CloudApp,
    confirmed: 'by-content',
    errors: [...own, 'session.confirm-required', 'cloud-app.option-not-possible', ...targetErrors],
  },
  'DELETE /api/user/cloud_apps/{id}/': {
    summary: '删除远程应用，并结束它的会话',
    params: IdParams,
    query: Format,
    response: Done,
    confirmed: 'by-content',
    errors: [...own, 'session.confirm-required'],
  },
  'GET /api/user/cloud_apps/{id}/members/': {
    summary: '可以打开此应用的其他账号，以及等待接受的',
    params: IdParams,
    response: z.array(CloudAppMember),
    errors: own,
  },
  'POST /api/user/cloud_apps/{id}/members/': {
    summary: '与另一个账号共享此应用：对方接受后才能打开。无论有没有这个账号，回复都一样',
    params: IdParams,
    body: z.strictObject({ account: personName(MAX_USERNAME_LENGTH, 'account.missing') }),
    response: CloudAppMember,
    status: 201,
    confirmed: true,
    errors: [...own, 'session.confirm-required', 'cloud-app.limit-reached'],
  },
  'DELETE /api/user/cloud_apps/{id}/members/{member}/': {
    summary: '不再允许或收回共享，并结束该账号的会话',
    params: z.strictObject({ id: IdDigits, member: IdDigits }),
    response: Done,
    errors: [...own, 'cloud-app.member-unknown'],
  },
  'DELETE /api/user/cloud_apps/{id}/membership/': {
    summary: '退出别人分享给我的远程应用，并结束自己在其中的会话',
    params: IdParams,
    response: Done,
    errors: own,
  },
  'GET /api/user/cloud_app_offers/': {
    summary: '别人想共享给我、等待我接受的远程应用，最近的在前，最多 100 个',
    response: z.array(CloudAppOffer),
    errors: ['session.required'],
  },
  'POST /api/user/cloud_app_offers/{id}/accept/': {
    summary: '接受共享：远程应用出现在我的列表里',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'cloud-app.offer-not-found'],
  },
  'DELETE /api/user/cloud_app_offers/{id}/': {
    summary: '不接受共享；对方不会收到通知',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'cloud-app.offer-not-found'],
  },
  'POST /api/user/cloud_apps/{id}/sessions/': {
    summary: '打开远程应用：回到这次登录里页面已关闭、仍在运行的终端，没有则新建一个会话',
    params: IdParams,
    query: SessionChoice,
    response: CloudAppOpened,
    status: 201,
    confirmed: 'by-content',
    errors: [
      ...own,
      'cloud-app.disabled',
      'cloud-app.too-many-sessions',
      'cloud-app.no-sessions',
      'session.confirm-required',
      'cloud-app.second-factor-missing',
    ],
  },
  'GET /api/user/cloud_app_sessions/': {
    summary: '远程应用的会话：自己的，以及自己的设备上的',
    query: PageQuery.extend({ open: z.literal('true').optional().describe('only those that are open') }),
    response: pageOf(CloudAppSession),
    errors: ['session.required'],
  },
  'DELETE /api/user/cloud_app_sessions/{id}/': {
    summary: '结束会话',
    params: IdParams,
    response: Done,
    errors: ['session.required', 'cloud-app.session-not-found'],
  },
} as const satisfies Endpoints;
