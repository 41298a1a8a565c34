import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { IdParams, Timestamp } from '../shared.ts';
import { OfflineReason } from './devices.ts';

/** What changed of a device's connection, as far as the server knows. */
export const DeviceConnection = z.object({
  at: Timestamp,
  online: z.boolean().describe('true also where only the address or the version of the agent changed'),
  offline_reason: OfflineReason.nullable(),
  public_ip: z.string().describe('the address that the device had then; empty: unknown'),
  agent_version: z.string(),
});
export type DeviceConnection = z.infer<typeof DeviceConnection>;

const Tried = z.object({
  name: z.string(),
  ok: z.boolean(),
  ms: z.number().int().nonnegative(),
  text: z.string().describe('what was found, or why it failed, in the words of the agent (Chinese)'),
});
export type TriedAddress = z.infer<typeof Tried>;

const DiagnosedLine = z.object({
  name: z.string().describe('the address of the relay; several connections may have the same'),
  rtt_ms: z.number().nonnegative().nullable(),
  loss_percent: z.number().min(0).max(100).nullable().describe('the share of the sent bytes that was sent again'),
  congestion_control: z.string().nullable(),
  bytes_per_s: z
    .number()
    .nonnegative()
    .nullable()
    .describe('the last measured rate; little says nothing about an idle line'),
});
export type DiagnosedLine = z.infer<typeof DiagnosedLine>;

export const Diagnosis = z.object({
  made_at: Timestamp,
  agent_version: z.string(),
  protocol: z.number().int(),
  features: z.array(z.string()).describe('what this agent can do beyond the first release'),
  system: z.object({
    platform: z.string(),
    node: z.string(),
    uptime_seconds: z.number(),
    free_mib: z.number(),
    total_mib: z.number(),
    load: z.number().describe('of the last minute, per machine'),
  }),
  proxies: z.array(z.object({ name: z.string(), value: z.string() })).describe('of its environment, without passwords'),
  server_url: z.string(),
  server: Tried.nullable(),
  clock_ahead_seconds: z.number().int().nullable().describe('of the device, before the server’s clock; null: unknown'),
  dns: z.array(Tried),
  relays: z.array(Tried).describe('the time to an encrypted connection, for each relay'),
  lines: z
    .object({
      from_device: z.array(DiagnosedLine).nullable().describe('as the device sends; null: its agent is too old'),
      from_relay: z.array(DiagnosedLine).nullable().describe('as the relay sends; null: it cannot say'),
      bbr: z
        .object({ ok: z.boolean(), text: z.string() })
        .nullable()
        .describe('whether the device uses bbr, in the words of the agent (Chinese); if not ok, what to run'),
    })
    .describe('each open connection between device and relay; null as a value: unknown'),
  history: z
    .array(z.object({ at: Timestamp, text: z.string() }))
    .describe('what the agent has logged, the newest first, in its words (Chinese)'),
});
export type Diagnosis = z.infer<typeof Diagnosis>;

const own = ['session.required', 'device.not-found'] as const;

/** Why a device is offline, or slow. Only its owner may ask. Nothing of it is secret: it is made to be shown to others. */
export const diagnosisEndpoints = {
  'GET /api/user/routers/{id}/connections/': {
    summary: '设备何时上线、何时离线、为什么、来自哪个地址；最新的在前，最多 200 条、90 天',
    params: IdParams,
    response: z.array(DeviceConnection),
    scope: 'devices:read',
    errors: own,
  },
  'POST /api/user/routers/{id}/diagnosis/': {
    summary: '让在线的设备检查自己的连接并报告：版本、域名解析、到每个中继的耗时、最近的记录；不含任何密钥',
    params: IdParams,
    response: Diagnosis,
    scope: 'devices:write',
    errors: [
      ...own,
      'device.busy',
      'diagnosis.offline',
      'diagnosis.outdated',
      'diagnosis.frpc',
      'diagnosis.no-answer',
      'server.unavailable',
    ],
  },
} as const satisfies Endpoints;
