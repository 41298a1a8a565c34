import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { IdParams } from '../shared.ts';

const upgradeErrors = ['session.required', 'server.unavailable'] as const;

/** Upgrades of agents from the console. A device that does not come online again takes its old agent back by itself. */
export const agentUpgradeEndpoints = {
  'POST /api/user/routers/{id}/upgrade/': {
    summary:
      '升级这台设备的客户端；设备下载、校验后重新启动，没有上线或几分钟内结束则自动退回。下载较慢时先返回，设备随后重新启动',
    params: IdParams,
    response: z.object({ version: z.string().describe('the version that the device starts with') }),
    scope: 'devices:write',
    errors: [
      ...upgradeErrors,
      'device.not-found',
      'agent.up-to-date',
      'agent.offline',
      'agent.cannot-upgrade',
      'agent.upgrade-failed',
      'agent.upgrade-refused',
    ],
  },
  'POST /api/user/routers/upgrade/': {
    summary: '升级自己的全部或一部分在线设备的客户端',
    body: z.strictObject({
      percent: z
        .number()
        .int()
        .min(1)
        .max(100)
        .describe('of the devices with an agent, rounded up; always the same ones'),
    }),
    response: z.object({
      started: z
        .number()
        .int()
        .describe('devices that restart with the newer agent, or download it, or wait because 8 others do'),
      failed: z.number().int().describe('devices that could not'),
      left: z.number().int().describe('older ones that were not asked: offline, or not in this part'),
    }),
    scope: 'devices:write',
    errors: upgradeErrors,
  },
} as const satisfies Endpoints;
