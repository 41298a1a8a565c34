import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, IdParams, Timestamp } from '../shared.ts';
import { readMacAddress } from './mac-address.ts';

/** The network card of the app's host. Any usual spelling; stored as `aa:bb:cc:dd:ee:ff`. */
export const MacAddress = z
  .string()
  .max(40)
  .overwrite((text) => readMacAddress(text) ?? text.trim())
  .refine((mac) => mac === '' || readMacAddress(mac) !== undefined, fieldMessage('mac.shape'));

/** When a host is woken by itself, in Beijing time. */
export const WakeTime = z.strictObject({
  days: z
    .array(z.number().int().min(1).max(7))
    .min(1, fieldMessage('hours.no-day'))
    .max(7)
    .refine((days) => new Set(days).size === days.length, fieldMessage('hours.day-twice'))
    .describe('1 Monday … 7 Sunday, each at most once'),
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, fieldMessage('hours.clock'))
    .describe('such as 07:30, by Beijing time'),
});
export type WakeTime = z.infer<typeof WakeTime>;

export const wakeResults = ['sent', 'device-offline', 'agent-outdated', 'no-wake-proxy', 'failed'] as const;
export type WakeResult = (typeof wakeResults)[number];

export const CloudAppWake = z.object({
  id: Id,
  at: Timestamp,
  account: z.string().nullable().describe('who woke the host; null: the schedule'),
  is_own: z.boolean().describe('the caller did'),
  ip: z.string().nullable(),
  result: z.enum(wakeResults).describe('`sent`: the device has sent the packet; no host confirms that it got one'),
});
export type CloudAppWake = z.infer<typeof CloudAppWake>;

export const HostState = z.object({
  state: z.enum(['on', 'off']).describe('on: something answers at the target, if only with a refusal'),
  is_ready: z.boolean().describe('the port of the app accepts connections'),
  woken_at: Timestamp.nullable().describe('when the packet was last sent; null: not within the last ten minutes'),
});
export type HostState = z.infer<typeof HostState>;

const own = ['session.required', 'cloud-app.not-found'] as const;
const throughDevice = [
  'cloud-app.disabled',
  'cloud-app.device-offline',
  'cloud-app.agent-outdated',
  'cloud-app.no-wake-proxy',
  'server.unavailable',
] as const;

/** Wake-on-LAN for the hosts of cloud apps, by the device in their network. */
export const wakeEndpoints = {
  'POST /api/user/cloud_apps/{id}/wake/': {
    summary: '唤醒远程应用所在的主机：由设备在局域网里广播唤醒信号',
    params: IdParams,
    response: CloudAppWake,
    confirmed: 'by-content',
    errors: [
      ...own,
      ...throughDevice,
      'cloud-app.mac-missing',
      'cloud-app.wake-failed',
      'session.confirm-required',
      'cloud-app.second-factor-missing',
    ],
  },
  'GET /api/user/cloud_apps/{id}/state/': {
    summary: '远程应用所在的主机是否开机：由设备试着连接一次',
    params: IdParams,
    response: HostState,
    errors: [...own, ...throughDevice, 'cloud-app.state-unknown'],
  },
  'GET /api/user/cloud_apps/{id}/wakes/': {
    summary: '最近 20 次唤醒：所有者看到全部，成员看到自己的和定时的',
    params: IdParams,
    response: z.array(CloudAppWake),
    errors: own,
  },
} as const satisfies Endpoints;
