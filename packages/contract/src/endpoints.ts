import type { z } from 'zod';
import { accountEndpoints } from './account/account.ts';
import { alertEndpoints } from './account/alerts.ts';
import { announcementEndpoints } from './site/announcements.ts';
import { billingManagementEndpoints } from './billing/billing-management.ts';
import { invitationRewardEndpoints } from './billing/invitation-rewards.ts';
import { orderEndpoints } from './billing/orders.ts';
import { productKeyEndpoints } from './billing/product-keys.ts';
import { productEndpoints } from './billing/products.ts';
import { auditEndpoints } from './user-management/audit.ts';
import { bindingEndpoints } from './account/bindings.ts';
import { captchaEndpoints } from './account/captcha.ts';
import { cloudAppEndpoints } from './cloud-apps/cloud-apps.ts';
import { wakeEndpoints } from './cloud-apps/waking.ts';
import { ConnectionCheck, ConnectionCheckRequest } from './devices/connection-check.ts';
import * as devices from './devices/devices.ts';
import { manyDevicesEndpoints } from './devices/many-devices.ts';
import type { Endpoint } from './endpoint.ts';
import { enrolmentKeyEndpoints } from './devices/enrolment-keys.ts';
import { deviceAttemptEndpoints } from './devices/device-attempts.ts';
import { frpcDeviceEndpoints } from './devices/frpc-devices.ts';
import type { ErrorCode } from './messages/errors.ts';
import { firstStepsEndpoints } from './site/first-steps.ts';
import { agentUpgradeEndpoints } from './devices/agent-upgrades.ts';
import { mappingFileEndpoints } from './mappings/mapping-file.ts';
import { adoptionEndpoints } from './devices/adoption.ts';
import { diagnosisEndpoints } from './devices/diagnosis.ts';
import { lanEndpoints } from './devices/lan.ts';
import * as gate from './gate/gate.ts';
import { invitationEndpoints } from './user-management/invitations.ts';
import { managedDeviceEndpoints } from './user-management/managed-devices.ts';
import { managedUserEndpoints } from './user-management/managed-users.ts';
import * as mappings from './mappings/mappings.ts';
import { secondFactorEndpoints } from './account/second-factor.ts';
import { registrationEndpoints } from './user-management/registration.ts';
import * as servers from './devices/servers.ts';
import { accessRequestEndpoints } from './gate/access-requests.ts';
import { refusedVisitEndpoints } from './gate/refused-visits.ts';
import { sharingEndpoints } from './gate/sharing.ts';
import { visitEndpoints } from './gate/visits.ts';
import { IdParams, PageQuery, pageOf } from './shared.ts';
import * as site from './site/site.ts';
import { playerEndpoints } from './site/players.ts';
import { siteEntryEndpoints } from './site/site-entries.ts';
import { statisticsEndpoints } from './statistics/statistics.ts';
import * as users from './account/users.ts';
import { verifyEndpoints } from './account/verify.ts';

const addressErrors = [
  'mapping.prefix-taken',
  'mapping.prefixes-used-up',
  'mapping.prefix-reserved',
  'mapping.domain-taken',
  'mapping.domain-unproven',
  'mapping.domains-waiting',
  'mapping.domain-reserved',
  'mapping.port-taken',
  'mapping.port-out-of-range',
  'mapping.target-not-private',
  'mapping.target-credentials',
  'mapping.frpc-no-udp',
] as const satisfies readonly ErrorCode[];

/**
 * Every JSON call of the product. The server mounts it, the OpenAPI document is generated from it, and the console
 * derives its types from it.
 */
export const endpoints = {
  'GET /api/profile/': { summary: '当前用户', response: users.ProfileList, errors: [] },
  'PATCH /api/profile/{id}/': {
    summary: '修改当前用户的简单字段',
    params: IdParams,
    body: users.ProfilePatch,
    response: users.Profile,
    errors: ['session.required', 'user.not-found', 'user.name-taken', 'user.name-look-alike', 'user.name-reserved'],
  },
  'POST /custom/login/': {
    summary: '登录',
    body: users.LoginRequest,
    response: users.LoginReply,
    errors: [
      'login.failed',
      'login.locked',
      'login.method-unavailable',
      'user.disabled',
      'registration.by-invitation',
      'registration.closed',
      'captcha.required',
      'captcha.ticket-expired',
      'wechat.code-invalid',
    ],
  },
  'GET /api/login_status/': { summary: '是否已登录', response: users.LoginStatus, errors: [] },
  'POST /custom/password/': {
    summary: '修改密码',
    body: users.PasswordChange,
    response: users.Done,
    confirmed: 'with-factor',
    errors: ['session.required', 'session.confirm-required', 'password.wrong', 'login.locked'],
  },
  'GET /api/user/token-sign/': {
    summary: '一次性的设备绑定凭证',
    response: users.TokenSign,
    changes: true,
    errors: ['session.required'],
  },

  'GET /api/user/routers/': {
    summary: '我的设备',
    query: PageQuery,
    response: pageOf(devices.Device),
    scope: 'devices:read',
    errors: ['session.required'],
  },
  'PATCH /api/user/routers/{id}/': {
    summary: '修改设备',
    params: IdParams,
    body: devices.DevicePatch,
    response: devices.Device,
    scope: 'devices:write',
    fieldScopes: devices.deviceFieldScopes,
    confirmed: 'by-content',
    errors: [
      ...(['session.required', 'device.not-found', 'device.deleted'] as const),
      'session.confirm-required',
      ...(['device.allow-list-invalid', 'device.allow-list-everyone'] as const),
      ...(['plan.not-found', 'plan.device-has-plan', 'device.suspended'] as const),
    ],
  },
  'DELETE /api/user/routers/{id}/': {
    summary: '删除设备及其全部域名映射',
    params: IdParams,
    response: users.Done,
    scope: 'devices:write',
    confirmed: 'by-content',
    errors: ['session.required', 'session.confirm-required', 'device.not-found'],
  },
  ...manyDevicesEndpoints,
  'POST /api/user/routers/{id}/check_domain_connection/': {
    summary: '逐步检测一条域名映射',
    params: IdParams,
    body: ConnectionCheckRequest,
    response: ConnectionCheck,
    scope: 'devices:write',
    errors: ['session.required', 'device.not-found', 'mapping.not-found', 'device.busy'],
  },
  'GET /custom/router_info/': {
    summary: '设备状态（设备所有者）',
    query: devices.RouterInfoQuery,
    response: devices.Device,
    scope: 'devices:read',
    errors: ['session.required', 'device.not-found'],
  },
  'GET /api/router_info/': {
    summary: '域名状态（任何人）',
    query: devices.DomainQuery,
    response: devices.PublicRouterInfo,
    errors: [],
  },

  'POST /api/user/records/': {
    summary: '新建域名映射',
    body: mappings.MappingCreate,
    response: mappings.Mapping,
    status: 201,
    scope: 'mappings:write',
    fieldScopes: mappings.mappingFieldScopes,
    confirmed: 'by-content',
    errors: [
      'session.required',
      'session.confirm-required',
      'device.not-found',
      'mapping.limit-reached',
      'plan.expired',
      'plan.mapping-limit',
      'mapping.ports-exhausted',
      'device.managed-by-frpc',
      ...addressErrors,
    ],
  },
  'PATCH /api/user/records/{id}/': {
    summary: '修改域名映射',
    description: mappings.sharedMappingScope.rule,
    params: IdParams,
    body: mappings.MappingPatch,
    response: mappings.Mapping,
    scope: 'mappings:write',
    fieldScopes: mappings.mappingFieldScopes,
    confirmed: 'by-content',
    errors: [
      ...(['session.required', 'mapping.not-found', 'mapping.kind-fixed', 'mapping.managed-by-frpc'] as const),
      'session.confirm-required',
      ...addressErrors,
    ],
  },
  'DELETE /api/user/records/{id}/': {
    summary: '删除域名映射',
    params: IdParams,
    response: users.Done,
    scope: 'mappings:write',
    confirmed: 'by-content',
    errors: ['session.required', 'session.confirm-required', 'mapping.not-found'],
  },
  'POST /api/user/records/{id}/check_domain/': {
    summary: '立即检查自有域名的解析；平时由服务器自动检查',
    params: IdParams,
    response: mappings.Mapping,
    scope: 'mappings:write',
    errors: ['session.required', 'mapping.not-found'],
  },
  'POST /api/user/records/{id}/verified_ip/': {
    summary: '允许当前网络访问这条域名映射 48 小时',
    params: IdParams,
    response: gate.VerificationRecord,
    scope: 'access:write',
    errors: ['session.required', 'mapping.not-found', 'gate.verified-ip-limit', 'verification.limit-reached'],
  },
  'GET /api/user/current_ip/': {
    summary: '当前网络的公网 IP',
    response: gate.CurrentIp,
    errors: ['session.required'],
  },
  'GET /api/user/current_network/': {
    summary: '当前网络的公网 IP，以及它已被允许访问的域名映射',
    response: gate.CurrentNetwork,
    scope: 'records:read',
    errors: ['session.required'],
  },
  'GET /api/user/verifications/': {
    summary: '我的域名映射的验证记录，最近的在前；映射和设备删除后，记录仍然保留 90 天',
    query: gate.VerificationQuery,
    response: pageOf(gate.VerificationRecord),
    scope: 'records:read',
    errors: ['session.required', 'mapping.not-found'],
  },
  'GET /api/user/verifications/deleted/': {
    summary: '已删除、但还有验证记录的域名映射：最近删除的在前，最多 500 条',
    response: gate.DeletedMappings,
    scope: 'records:read',
    errors: ['session.required'],
  },
  ...refusedVisitEndpoints,
  ...visitEndpoints,
  'PATCH /api/user/verifications/{id}/': {
    summary: '延长一条验证',
    params: IdParams,
    body: gate.VerificationPatch,
    response: gate.VerificationRecord,
    scope: 'records:write',
    confirmed: true,
    errors: [
      ...(['session.required', 'verification.not-found', 'verification.revoked'] as const),
      'session.confirm-required',
      ...(['verification.address-deleted', 'verification.limit-reached'] as const),
    ],
  },
  'DELETE /api/user/verifications/{id}/': {
    summary: '撤销一条验证，立即断开',
    params: IdParams,
    response: users.Done,
    scope: 'records:write',
    errors: ['session.required', 'verification.not-found'],
  },

  'GET /api/user/servers/': {
    summary: '服务器列表',
    response: servers.ServerList,
    scope: 'devices:read',
    errors: ['session.required'],
  },
  'GET /custom/check/': {
    summary: '我能否打开这个网址',
    query: gate.CheckQuery,
    response: gate.CheckReply,
    changes: true,
    raw: true,
    errors: ['gate.url-not-allowed', 'gate.too-many-proofs'],
  },
  'POST /custom/check/': {
    summary: '用访问密码打开这个网址',
    body: gate.CheckPassword,
    response: gate.CheckReply,
    errors: [
      'gate.url-not-allowed',
      'gate.too-many-proofs',
      'gate.password-wrong',
      'gate.password-locked',
      'captcha.required',
      'captcha.ticket-expired',
    ],
  },
  'POST /ip/checkUserDidRegisterIP': {
    summary: '当前访客是否已通过验证',
    body: gate.RegisterIpQuery,
    response: gate.RegisteredIp,
    errors: ['gate.url-not-allowed'],
  },
  'GET /api/site/config/': { summary: '站点信息', response: site.SiteConfig, errors: [] },
  'GET /api/agent/bootstrap/': { summary: '客户端接入信息', response: site.AgentBootstrap, errors: [] },
  ...accountEndpoints,
  ...alertEndpoints,
  ...announcementEndpoints,
  ...bindingEndpoints,
  ...captchaEndpoints,
  ...cloudAppEndpoints,
  ...wakeEndpoints,

  ...productEndpoints,
  ...orderEndpoints,
  ...productKeyEndpoints,
  ...invitationRewardEndpoints,
  ...billingManagementEndpoints,
  ...auditEndpoints,
  ...enrolmentKeyEndpoints,
  ...frpcDeviceEndpoints,
  ...deviceAttemptEndpoints,
  ...firstStepsEndpoints,
  ...statisticsEndpoints,
  ...invitationEndpoints,
  ...managedDeviceEndpoints,
  ...agentUpgradeEndpoints,
  ...adoptionEndpoints,
  ...diagnosisEndpoints,
  ...lanEndpoints,
  ...mappingFileEndpoints,
  ...managedUserEndpoints,
  ...registrationEndpoints,
  ...servers.managedServerEndpoints,
  ...secondFactorEndpoints,
  ...accessRequestEndpoints,
  ...sharingEndpoints,
  ...siteEntryEndpoints,
  ...playerEndpoints,
  ...verifyEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointKey = keyof typeof endpoints;
type Part<Key extends EndpointKey, Name extends string> =
  (typeof endpoints)[Key] extends Record<Name, infer Schema> ? Schema : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
export type RequestParams<Key extends EndpointKey> = InputOf<Part<Key, 'params'>>;
export type RequestQuery<Key extends EndpointKey> = InputOf<Part<Key, 'query'>>;
export type RequestBody<Key extends EndpointKey> = InputOf<Part<Key, 'body'>>;
export type Reply<Key extends EndpointKey> = z.output<(typeof endpoints)[Key]['response']>;
