import type { Mapping } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { changeMapping } from './change-mapping.ts';
import { createMapping } from './create-mapping.ts';
import type { MappingDeps } from './mapping-deps.ts';
import type { MappingRow } from './mapping-store.ts';
import { formatHours } from './mapping-hours.ts';
import { mappingDomain, mappingUrl } from './mapping-url.ts';
import { formatTarget } from './private-target.ts';
import { removeMapping } from './remove-mapping.ts';

/** The calls under `/api/user/records/`. */
export function registerMappingRoutes(app: FastifyInstance, deps: MappingDeps & { publicUrl: string }): void {
  mount(app, 'POST /api/user/records/', { login: 'required' }, async ({ body, session }) => {
    const { router, ...input } = body;
    const owner = { userId: session.userId, deviceId: router };
    return mappingReply(await createMapping(deps, owner, input), deps.publicUrl);
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
    custom_domain: row.customDomain,
    port: row.port,
    domain,
    url: row.port === null ? mappingUrl(publicUrl, domain) : `${row.kind}://${domain}:${row.port}`,
    target: formatTarget(row),
    host_header: row.hostHeader,
    verify_tls: row.verifyTls,
    tls_passthrough: row.tlsPassthrough,
    proxy_protocol: row.proxyProtocol,
    policy: row.policy,
    opens_at: row.opensAt?.toISOString() ?? null,
    closes_at: row.closesAt?.toISOString() ?? null,
    hours: formatHours(row),
    remark: row.remark,
    enabled: row.enabled,
    created_at: row.createdAt.toISOString(),
  };
}
