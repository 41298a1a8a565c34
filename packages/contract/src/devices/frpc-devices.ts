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
} as const satisfies Endpoints;
