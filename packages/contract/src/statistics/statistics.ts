import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { Id, IdDigits, inDigits, Whole } from '../shared.ts';

/** The most points of a view: a week of hours, two years of days or months. */
export const MAX_STATISTICS_POINTS = { hour: 168, day: 731, month: 24 } as const;
/** The view of the last minutes. */
export const LIVE_STEP_MS = 2_000;
export const LIVE_POINTS = 150;

const place = {
  router: IdDigits.optional(),
  mapping: IdDigits.optional().describe('takes precedence over `router`'),
};
const StatisticsQuery = z.object({
  ...place,
  unit: z.enum(['hour', 'day', 'month']).default('hour'),
  points: inDigits(Whole.min(1).max(MAX_STATISTICS_POINTS.day).default(24)),
  until: z.iso
    .datetime()
    .optional()
    .describe('a time within the last point; without it, or in the future, the present point is the last'),
});

const count = z.number().int().nonnegative();
const UsageFigures = z.object({
  bytes_in: count,
  bytes_out: count,
  requests: count,
  ok: count.describe('answered with 1xx, 2xx or 3xx; the two below with 4xx and 5xx'),
  client_errors: count,
  server_errors: count,
  failed: count.describe('without a complete answer'),
  visitors: count.describe('accounts, and browsers without an account, that showed a verification'),
  networks: count.describe('IPv4 addresses, and IPv6 networks of 64 bits'),
  is_exact: z
    .boolean()
    .describe('false: `visitors` or `networks` is above 255 and estimated, or was not counted completely'),
  p50_ms: z.number().nullable().describe('time to the first byte; exact to half of it'),
  p95_ms: z.number().nullable(),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

const Share = z.number().min(0).max(1).nullable().describe('null: not observed');

export const Statistics = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  points: z.array(UsageFigures.extend({ at: z.iso.datetime() })),
  total: UsageFigures,
  previous: UsageFigures.nullable().describe(
    'the period of the same length before; if the present one is running, as much of it has passed: up to the same hour ' +
      '(more than 89 days: day; months: day). null: not kept any more',
  ),
  top_mappings: z.array(z.object({ mapping: Id, router: Id, bytes: count, requests: count })),
  top_visitors: z.array(
    z.object({
      who: z.string().nullable().describe('null: the verification was deleted'),
      granted_by: z.string().nullable(),
      requests: count,
    }),
  ),
  top_places: z.array(z.object({ place: z.string(), requests: count })),
  uptime_from: z.iso.datetime().describe('begin of the first of the `bars`'),
  uptime: z.array(
    z.object({
      router: Id,
      name: z.string(),
      share: Share,
      bars: z.array(Share).describe('the last hours, or days if `unit` is not `hour`; 90 at most'),
    }),
  ),
});
export type Statistics = z.infer<typeof Statistics>;

export const LiveStatistics = z.object({
  from: z.iso.datetime(),
  step_ms: z.literal(LIVE_STEP_MS),
  points: z.array(z.object({ bytes_in: count, bytes_out: count, requests: count, errors: count })),
});

const errors = ['session.required', 'device.not-found', 'mapping.not-found'] as const;

export const statisticsEndpoints = {
  'GET /api/user/statistics/': {
    summary: '统计：流量、请求、访客、响应时间与在线率',
    description:
      'Days and months are those of Beijing (UTC+8). Hours are kept for 90 days, days and months for 2 years.',
    query: StatisticsQuery,
    response: Statistics,
    errors,
  },
  'GET /api/user/statistics/export/': {
    summary: '导出统计（CSV）',
    description: 'The points of the same view. UTF-8 with a byte order mark, CRLF, RFC 4180.',
    query: StatisticsQuery,
    response: z.string(),
    csv: true,
    errors,
  },
  'GET /api/user/statistics/live/': {
    summary: '最近五分钟的流量与请求',
    query: z.object(place),
    response: LiveStatistics,
    errors,
  },
} as const satisfies Endpoints;
