import { must } from '@tongtu/base';
import { certificateProblems, type Mapping, type MappingCertificate } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../../http/session.ts';
import { type CertificateStatus, isPublicName } from '../certificates/index.ts';
import type { DomainStatus } from '../domains/index.ts';
import { changeMapping } from './change-mapping.ts';
import { createMapping } from './create-mapping.ts';
import { describeMappings, type DescribedMapping } from './describe-mappings.ts';
import { exportMappingFile, importMappingFile } from './file/import-mapping-file.ts';
import { MappingFileReader } from './file/mapping-file-reader.ts';
import { getOwnMapping } from './get-mapping.ts';
import { settableFields } from './mapping-columns.ts';
import type { MappingDeps, SavedMapping } from './mapping-deps.ts';
import { mappingDomain, mappingUrl, type PublicPlace } from './address/mapping-url.ts';
import { removeMapping } from './deletion/remove-mapping.ts';

/** The calls under `/api/user/records/`, and those with a device's mappings as a file. */
export function registerMappingRoutes(app: FastifyInstance, deps: MappingDeps & PublicPlace): void {
  // The relays know the address before the answer, because the user opens it next.
  const reply = async ({ row, change }: SavedMapping): Promise<Mapping> => {
    if (change) await deps.whenSentToRelays(change);
    const [mapping] = await describeMappings(deps.db, [row]);
    return mappingReply(must(mapping, 'the mapping just saved'), deps);
  };

  const fileReader = new MappingFileReader();
  mount(app, 'GET /api/user/routers/{id}/mapping_file/', { login: 'required' }, async ({ params, session }) => ({
    yaml: await exportMappingFile(deps.db, { deviceId: params.id, userId: session.userId }),
  }));
  mount(app, 'POST /api/user/routers/{id}/mapping_file/', { login: 'required' }, async ({ params, body, session }) => {
    const owner = { ...callerOf(session), deviceId: params.id };
    const options = { yaml: body.yaml, isDryRun: body.dry_run, deletesOthers: body.delete_others };
    const { result, change } = await importMappingFile({ ...deps, fileReader }, owner, options);
    if (change) await deps.whenSentToRelays(change);
    return result;
  });
  mount(app, 'POST /api/user/records/', { login: 'required' }, async ({ body, session }) => {
    const { router, ...input } = body;
    return await reply(await createMapping(deps, { ...callerOf(session), deviceId: router }, input));
  });
  mount(app, 'PATCH /api/user/records/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    return await reply(await changeMapping(deps, { ...callerOf(session), id: params.id }, body));
  });
  mount(app, 'POST /api/user/records/{id}/check_domain/', { login: 'required' }, async ({ params, session }) => {
    const mapping = { mappingId: params.id, userId: session.userId };
    const { id } = await getOwnMapping(deps.db, mapping);
    await deps.checkDomain(id);
    return await reply({ row: await getOwnMapping(deps.db, mapping), change: undefined });
  });
  mount(app, 'DELETE /api/user/records/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removeMapping(deps.db, { ...callerOf(session), id: params.id });
    return { ok: true as const };
  });
}

/** A mapping as the API returns it. */
export function mappingReply({ row, usage, domain, certificate }: DescribedMapping, place: PublicPlace): Mapping {
  return {
    ...settableFields(row), // copied several times as fast where it comes first
    id: row.id,
    router: row.deviceId,
    ...(row.frpcProxy !== null && { target: `frpc:${row.frpcProxy}` }),
    frpc_proxy: row.frpcProxy,
    domain: mappingDomain(row),
    url: mappingUrl(place, row),
    has_password: row.passwordHash !== null,
    over_plan_limit: row.isOverPlanLimit,
    dns: dnsReply(row, domain),
    certificate: certificate === undefined ? null : certificateReply(certificate),
    usage_24h: { bytes_in: usage.bytesIn, bytes_out: usage.bytesOut, requests: usage.requests },
    created_at: row.createdAt.toISOString(),
  };
}

function dnsReply({ customDomain, suffix }: DescribedMapping['row'], domain: DomainStatus | undefined) {
  if (customDomain === null) return null;
  return {
    state: domain?.isReady ? ('ready' as const) : ('waiting' as const),
    record: isPublicName(suffix) ? { type: 'CNAME' as const, name: customDomain, value: suffix } : null,
    addresses: domain?.wanted ?? [],
    found: domain?.found ?? [],
  };
}

function certificateReply({ state, notAfter, problem }: CertificateStatus): MappingCertificate {
  return {
    state,
    not_after: notAfter?.toISOString() ?? null,
    error: problem === undefined ? null : certificateProblems[problem],
  };
}
