import type { Mapping } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { changeMapping } from './change-mapping.ts';
import { createMapping } from './create-mapping.ts';
import type { MappingDeps } from './mapping-deps.ts';
import type { MappingRow } from './mapping-store.ts';
import { mappingDomain, mappingUrl } from './mapping-url.ts';
import { formatTarget } from './private-target.ts';
import { removeMapping } from './remove-mapping.ts';

/** The calls under `/api/user/records/`. */
export function registerMappingRoutes(app: FastifyInstance, deps: MappingDeps & { publicUrl: string }): void {
  mount(app, 'POST /api/user/records/', { login: 'required' }, async ({ body, session }) => {
    const { router, prefix, target, policy, remark } = body;
    const input = { userId: session.userId, deviceId: router, prefix, target, policy, remark };
    return mappingReply(await createMapping(deps, input), deps.publicUrl);
  });
  mount(app, 'PATCH /api/user/records/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    const mapping = { id: params.id, userId: session.userId };
    return mappingReply(await changeMapping(deps, mapping, body), deps.publicUrl);
  });
  mount(app, 'DELETE /api/user/records/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeMapping(deps.db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

/** A mapping as the API shows it. */
export function mappingReply(row: MappingRow, publicUrl: string): Mapping {
  const domain = mappingDomain(row);
  return {
    id: row.id,
    router: row.deviceId,
    kind: row.kind,
    prefix: row.prefix,
    domain,
    url: mappingUrl(publicUrl, domain),
    target: formatTarget(row),
    policy: row.policy,
    remark: row.remark,
    enabled: row.enabled,
    created_at: row.createdAt.toISOString(),
  };
}
