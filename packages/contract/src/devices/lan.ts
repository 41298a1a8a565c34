import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { Id, IdParams, Timestamp } from '../shared.ts';
import { lanKinds, type LanKind } from './lan-kinds.ts';

const LanKindSchema = z.enum(Object.keys(lanKinds) as [LanKind, ...LanKind[]]); // the keys of the table

/** Compared with the scans before: not seen before, or not seen by the last complete one. */
const Seen = {
  is_new: z.boolean(),
  is_missing: z.boolean(),
  first_seen: Timestamp,
  last_seen: Timestamp,
};

export const LanService = z.object({
  id: Id,
  port: z.number().int(),
  protocol: z.string().describe('http, https, ssh, vnc …; empty: unknown'),
  kind: LanKindSchema.nullable(),
  title: z.string().describe('the title of its page, or how it introduces itself'),
  ...Seen,
});
export type LanService = z.infer<typeof LanService>;

export const LanHost = z.object({
  id: Id,
  address: z.string(),
  mac: z.string().nullable(),
  vendor: z.string().describe('the maker of the network card; empty: unknown'),
  name: z.string(),
  kind: LanKindSchema.nullable(),
  is_self: z.boolean().describe('the machine that the agent runs on'),
  services: z.array(LanService),
  ...Seen,
});
export type LanHost = z.infer<typeof LanHost>;

export const lanScanResults = [
  ...([
    'done',
    'partial',
    'switched-off',
    'no-network',
    'busy',
    'failed',
    'offline',
    'outdated',
    'unsupported',
    'lost',
  ] as const),
] as const;

export const LanScan = z.object({
  started_at: Timestamp,
  ended_at: Timestamp.nullable().describe('null: it is running'),
  percent: z.number().int().min(0).max(100),
  result: z
    .enum(lanScanResults)
    .nullable()
    .describe(
      'switched-off: by the configuration of the agent; outdated: the agent is too old to scan; unsupported: the device runs frpc',
    ),
});
export type LanScan = z.infer<typeof LanScan>;

export const Lan = z.object({
  enabled: z.boolean().describe('whether its owner allows scans of this device’s LAN'),
  scan: LanScan.nullable().describe('the last one'),
  hosts: z.array(LanHost),
});
export type Lan = z.infer<typeof Lan>;

const own = ['session.required', 'device.not-found'] as const;

/** LAN discovery: what a device sees in its own network. */
export const lanEndpoints = {
  'GET /api/user/routers/{id}/lan/': {
    summary: '设备所在局域网里发现的主机和服务',
    params: IdParams,
    response: Lan,
    scope: 'devices:read',
    errors: own,
  },
  'PATCH /api/user/routers/{id}/lan/': {
    summary: '允许或禁止扫描局域网；禁止时删除已有的结果',
    params: IdParams,
    body: z.strictObject({ enabled: z.boolean() }),
    response: Lan,
    scope: 'devices:write',
    errors: own,
  },
  'POST /api/user/routers/{id}/lan/scan/': {
    summary: '扫描局域网；结果陆续出现',
    params: IdParams,
    response: Lan,
    status: 201,
    scope: 'devices:write',
    errors: [...own, 'discovery.off', 'discovery.running', 'server.unavailable'],
  },
} as const satisfies Endpoints;
