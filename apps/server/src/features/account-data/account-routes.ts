import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { rotateSessionId, type SessionDeps } from '../sessions/index.ts';
import { changePassword, deletePreviousTokens, describeProfile, findUser, type ProfileDeps } from '../users/index.ts';
import { cancelDeletion } from './account-store.ts';
import { changeSecuritySettings, type SecuritySettingsDeps } from './change-security-settings.ts';
import { requestDeletion } from './delete-account.ts';
import { describeSecurity } from './describe-security.ts';
import { exportData } from './export-data.ts';

export type AccountRoutesDeps = ProfileDeps & SecuritySettingsDeps & SessionDeps;

/** The account's security settings, the export of its data, and its deletion. */
export function registerAccountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { db } = deps;
  mount(app, 'GET /api/user/security/', { login: 'required' }, async ({ session }) => {
    return await describeSecurity(db, session.userId);
  });
  mount(app, 'PATCH /custom/profile/', { login: 'required' }, async ({ body, session, req }) => {
    await changeSecuritySettings(deps, { session, req }, body);
    const user = await findUser(db, session.userId);
    if (!user) throw new AppError('session.required');
    return await describeProfile(deps, user);
  });
  mount(app, 'POST /custom/password/', { login: 'required' }, async ({ body, session, req, reply }) => {
    await changePassword(db, session, { oldPassword: body.old_password, newPassword: body.new_password });
    await rotateSessionId(deps, session, { req, reply });
    return { ok: true as const };
  });
  mount(app, 'DELETE /api/user/previous_token/', { login: 'required' }, async ({ session }) => {
    await deletePreviousTokens(db, session.userId);
    return await describeSecurity(db, session.userId);
  });
  mount(app, 'GET /api/user/export/', { login: 'required' }, async ({ session, reply }) => {
    reply.header('content-disposition', `attachment; filename="tongtu-${session.userId}.json"`);
    return await exportData(db, session.userId, new Date());
  });
  mount(app, 'POST /api/user/deletion/', { login: 'required' }, async ({ session }) => {
    await requestDeletion(db, session.userId);
    return await describeSecurity(db, session.userId);
  });
  mount(app, 'DELETE /api/user/deletion/', { login: 'required' }, async ({ session }) => {
    await cancelDeletion(db, session.userId);
    return await describeSecurity(db, session.userId);
  });
}
