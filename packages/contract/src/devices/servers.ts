import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { Id, IdParams, personName, personText } from '../shared.ts';

/** A relay region with its own domain suffix. */
export const Server = z.object({
  id: Id,
  name: z.string(),
  suffix: z.string(),
  isp: z.string(),
  load: z.number().describe('0 to 1: the busiest relay process of the region'),
  state: z.enum(['up', 'down']),
  maintenance: z.boolean().describe('announced by the operator; what leads to the region goes on meanwhile'),
});
export type Server = z.infer<typeof Server>;
export const ServerList = z.array(Server);

/** A field that is absent does not change. */
export const ServerPatch = z.strictObject({
  name: personName(MAX_NAME_LENGTH, 'name.missing').optional(),
  isp: personText(MAX_NAME_LENGTH).optional(),
  maintenance: z.boolean().optional(),
});
export type ServerPatch = z.infer<typeof ServerPatch>;

export const managedServerEndpoints = {
  'PATCH /api/manage/servers/{id}/': {
    summary: '修改服务器的名称、运营商和维护状态（超级管理员）',
    params: IdParams,
    body: ServerPatch,
    response: Server,
    role: 'superuser',
    errors: ['session.required', 'session.forbidden', 'server.not-found'],
  },
} as const satisfies Endpoints;
