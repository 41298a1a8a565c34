import { must } from '@tongtu/base';
import type { ManagedUserPatch } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mount } from '../../http/mount.ts';
import { flagsOf } from '../../http/session.ts';
import { findManagedUser, managedUserReply } from '../manage-users/index.ts';
import { rotateSessionId, type SessionDeps } from '../sessions/index.ts';
import { changeFlags } from './change-flags.ts';
import type { FlagChange } from './role-store.ts';

export type RoleRoutesDeps = SessionDeps & { log: Logger };

/** For superusers: the role flags of accounts. */
export function registerRoleRoutes(app: FastifyInstance, deps: RoleRoutesDeps): void {
  const { db } = deps;
  mount(app, 'PATCH /api/manage/users/{id}/', { login: 'required' }, async (call) => {
    const { params, body, session, req, reply } = call;
    const change = changeOf(body);
    const { user, isChanged, managed } = await db.transaction().execute(async (tx) => {
      const changed = await changeFlags(tx, params.id, change, { ...session, ip: req.ip });
      return { ...changed, managed: must(await findManagedUser(tx, params.id), 'the locked account') };
    });
    if (isChanged) {
      // Level `warn` is always logged: this line is the record of changed rights.
      deps.log.warn(
        { byUserId: session.userId, userId: user.id, ...flagsOf(user) },
        'the role flags of a user were changed',
      );
      if (user.id === session.userId) await rotateSessionId(deps, session, { req, reply });
    }
    return managedUserReply(managed);
  });
}

function changeOf(body: ManagedUserPatch): FlagChange {
  return { isStaff: body.is_staff, isPromoter: body.is_promoter, isSuperuser: body.is_superuser };
}
