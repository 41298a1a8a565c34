import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { Id, IdParams, personName } from '../shared.ts';

/** What a stock frpc needs to be a device: the same settings in each form that frpc and OpenWrt read. */
export const FrpcConfiguration = z.object({
  device_id: Id,
  server_host: z.string(),
  server_port: z.number().int(),
  is_certificate_checked: z.boolean().describe('false: frpc does not notice a false server'),
  toml: z.string().describe('frpc from 0.52 on'),
  ini: z.string().describe('frpc up to 0.51'),
  uci: z.string().describe('/etc/config/frpc of OpenWrt'),
});
export type FrpcConfiguration = z.infer<typeof FrpcConfiguration>;

/** With what a frpc that has its own frpc.toml connects. */
export const FrpcAccount = FrpcConfiguration.pick({
  server_host: true,
  server_port: true,
  is_certificate_checked: true,
}).extend({
  user: z.string().describe('the `user` of frpc; `.name` behind it names one of several devices'),
  toml: z.string().describe('the lines to change in a frpc.toml'),
  ini: z.string().describe('the lines to change in a frpc.ini'),
});
export type FrpcAccount = z.infer<typeof FrpcAccount>;

export const FrpcDeviceCreate = z.strictObject({ name: personName(MAX_NAME_LENGTH, 'device-name.missing') });

const ofDevice = [
  ...(['session.required', 'session.confirm-required', 'device.not-found'] as const),
  ...(['device.not-frpc', 'device.frpc-off'] as const),
] as const;

/** Devices that run a stock frpc in place of our agent. */
export const frpcDeviceEndpoints = {
  'POST /api/user/frpc_devices/': {
    summary: '添加用 frpc 连接的设备，返回它的配置',
    body: FrpcDeviceCreate,
    response: FrpcConfiguration,
    status: 201,
    errors: ['session.required', 'device.frpc-off', 'device.too-many-waiting'],
  },
  'POST /api/user/routers/{id}/frpc_configuration/': {
    summary: '再次显示 frpc 的配置，其中有设备的密钥',
    params: IdParams,
    response: FrpcConfiguration,
    confirmed: true,
    errors: ofDevice,
  },
  'POST /api/user/routers/{id}/frpc_secret/': {
    summary: '更换 frpc 的密钥：旧配置立即失效，返回新配置',
    params: IdParams,
    response: FrpcConfiguration,
    confirmed: true,
    errors: ofDevice,
  },
  'POST /api/user/frpc_account/': {
    summary: '用自己的 frpc.toml 连接：显示服务器地址、用户名和 frpc 令牌',
    response: FrpcAccount,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'device.frpc-off'],
  },
  'POST /api/user/frpc_account/secret/': {
    summary: '换一个 frpc 令牌：仍用旧的 frpc 令牌的设备立即断开',
    response: FrpcAccount,
    confirmed: true,
    errors: ['session.required', 'session.confirm-required', 'device.frpc-off'],
  },
} as const satisfies Endpoints;
