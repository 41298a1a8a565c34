import { setTimeout } from 'node:timers/promises';
import type { AccessRequest } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { mappingDomain } from '../mappings/index.ts';
import { findUsername } from '../users/index.ts';
import { type AccessRequestRow, listRequests } from './access-request-store.ts';
import { allowRequest, refuseRequest } from './answer-request.ts';
import { requestAccess } from './request-access.ts';

const MAX_LISTED = 200;
/** Every reply takes at least this long, so that the time does not say whether there is such an address. */
const REPLY_MS = 300;

/** Requests of accounts to open a mapping, and the owner's answers. */
export function registerAccessRequestRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'POST /custom/check/request/', { login: 'required' }, async ({ body, session: { userId } }) => {
    const wish = { userId, account: await findUsername(db, userId), host: hostOf(body.url), message: body.message };
    const [saved] = await Promise.allSettled([requestAccess(db, wish), setTimeout(REPLY_MS)]);
    if (saved.status === 'rejected') throw saved.reason;
    return { ok: true as const };
  });
  mount(app, 'GET /api/user/access_requests/', { login: 'required' }, async ({ session }) => {
    return (await listRequests(db, session.userId, MAX_LISTED)).map(requestReply);
  });
  const allowPath = 'POST /api/user/access_requests/{id}/allow/';
  mount(app, allowPath, { login: 'required' }, async ({ params, body, session }) => {
    await allowRequest(db, { id: params.id, userId: session.userId }, body.valid_hours);
    return { ok: true as const };
  });
  mount(app, 'DELETE /api/user/access_requests/{id}/', { login: 'required' }, async ({ params, session }) => {
    await refuseRequest(db, { id: params.id, userId: session.userId });
    return { ok: true as const };
  });
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function requestReply(row: AccessRequestRow): AccessRequest {
  return {
    id: row.id,
    mapping: row.mappingId,
    router: row.deviceId,
    domain: mappingDomain(row),
    account: row.account,
    message: row.message,
    created_at: row.createdAt.toISOString(),
  };
}
