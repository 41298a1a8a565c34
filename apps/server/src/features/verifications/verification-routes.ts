import { canonicalAddress } from '@tongtu/base';
import type { DeletedMapping, VerificationRecord } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { userAgentOf } from '../../http/browser/user-agent.ts';
import { type DeletedMappingRow, listDeletedMappings } from '../mappings/index.ts';
import { extendVerification } from './extend-verification.ts';
import { listVerifications } from './list-verifications.ts';
import { revokeVerification } from './revoke-verification.ts';
import type { VerificationRow } from './verification-list-store.ts';
import { listAllowedMappings } from './verification-store.ts';
import { verifyAddress } from './verify-address.ts';

export type VerificationRoutesDeps = {
  db: Db;
  /** The place of an address in Chinese, or '' if unknown. */
  placeOf: (ip: string) => string;
};

const verifications = '/api/user/verifications/';
/** More than a user chooses from. */
const MAX_LISTED_DELETED = 500;

/** The owner's calls for verifications of visitors. */
export function registerVerificationRoutes(app: FastifyInstance, { db, placeOf }: VerificationRoutesDeps): void {
  const reply = (row: VerificationRow) => verificationReply(row, placeOf(row.visitorIp));

  mount(app, 'POST /api/user/records/{id}/verified_ip/', { login: 'required' }, async ({ params, req, session }) => {
    const { userId, sessionId } = session;
    return reply(await verifyAddress(db, params.id, { userId, sessionId, ip: req.ip, userAgent: userAgentOf(req) }));
  });
  mount(app, 'GET /api/user/current_ip/', { login: 'required' }, async ({ req }) => ({ ip: canonicalAddress(req.ip) }));
  mount(app, 'GET /api/user/current_network/', { login: 'required' }, async ({ req, session }) => {
    const ip = canonicalAddress(req.ip);
    const rows = await listAllowedMappings(db, { ownerId: session.userId, visitorIp: ip });
    const allowed = rows.map(({ id, mappingId, expiresAt }) => ({
      mapping: mappingId,
      verification: id,
      expires_at: expiresAt.toISOString(),
    }));
    return { ip, allowed };
  });
  mount(app, 'GET /api/user/verifications/', { login: 'required' }, async ({ query, session }) => {
    const { mapping, router, state, granted_by: grantedBy, search, ...page } = query;
    const filter = { ownerId: session.userId, mapping, router, state, grantedBy, search };
    const { count, verifications: rows } = await listVerifications(db, filter, page);
    return { count, ...pageLinks(verifications, query, count), results: rows.map(reply) };
  });
  mount(app, 'GET /api/user/verifications/deleted/', { login: 'required' }, async ({ session }) => {
    return (await listDeletedMappings(db, session.userId, MAX_LISTED_DELETED)).map(deletedReply);
  });
  mount(app, 'PATCH /api/user/verifications/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    const extension = { id: params.id, ownerId: session.userId, hours: body.extend_hours };
    return reply(await extendVerification(db, extension));
  });
  mount(app, 'DELETE /api/user/verifications/{id}/', { login: 'required' }, async ({ params, session }) => {
    await revokeVerification(db, params.id, session.userId);
    return { ok: true as const };
  });
}

function verificationReply(row: VerificationRow, place: string): VerificationRecord {
  return {
    id: row.id,
    mapping: row.mappingId,
    mapping_deleted: row.isMappingDeleted,
    router: row.deviceId,
    router_deleted: row.isDeviceDeleted,
    router_name: row.deviceName,
    kind: row.kind,
    granted_by: row.grantedBy,
    who: row.who,
    place,
    host: row.host,
    port: row.port,
    ip: row.visitorIp,
    user_agent: row.userAgent,
    browser: row.kind === 'ip' && row.userAgent === '' ? '' : describeDevice(row.userAgent),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}

function deletedReply(row: DeletedMappingRow): DeletedMapping {
  return {
    id: row.id,
    kind: row.kind,
    domain: row.domain,
    port: row.port,
    router: row.deviceId,
    router_deleted: row.isDeviceDeleted,
    router_name: row.deviceName,
    deleted_at: row.deletedAt.toISOString(),
  };
}
