import type { ManagedUser, ManagedUserPatch } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { flagsOf } from '../../http/session.ts';
import { rotateSessionId, type SessionDeps } from '../sessions/index.ts';
import { changeFlags } from './change-flags.ts';
import { countManagedUsers, listManagedUsers, type FlagChange, type ManagedUserRow } from './managed-user-store.ts';

export type RoleRoutesDeps = SessionDeps & { log: Logger };

const path = '/api/manage/users/';

/** For superusers: the list of accounts, and their role flags. */
export function registerRoleRoutes(app: FastifyInstance, deps: RoleRoutesDeps): void {
  const { db } = deps;
  mount(app, 'GET /api/manage/users/', { login: 'required' }, async ({ query }) => {
    const { search = '' } = query;
    const [count, rows] = [await countManagedUsers(db, search), await listManagedUsers(db, { ...query, search })];
    return { count, ...pageLinks(path, query, count), results: rows.map(managedReply) };
  });
  mount(app, 'PATCH /api/manage/users/{id}/', { login: 'required' }, async (call) => {
    const { params, body, session, req, reply } = call;
    const change = changeOf(body);
    const { user, isChanged } = await db
      .transaction()
      .execute(async (tx) => await changeFlags(tx, params.id, change, session));
    if (isChanged) {
      // Level `warn` is always logged: this line is the record of changed rights.
      deps.log.warn(
        { byUserId: session.userId, userId: user.id, ...flagsOf(user) },
        'the role flags of a user were changed',
      );
      if (user.id === session.userId) await rotateSessionId(deps, session, { req, reply });
    }
    return managedReply(user);
  });
}

function changeOf(body: ManagedUserPatch): FlagChange {
  return { isStaff: body.is_staff, isPromoter: body.is_promoter, isSuperuser: body.is_superuser };
}

function managedReply(user: ManagedUserRow): ManagedUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    phone_number: user.phoneNumber ?? '',
    ...flagsOf(user),
    created_at: user.createdAt.toISOString(),
  };
}
