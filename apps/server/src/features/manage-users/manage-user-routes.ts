import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import {
  type Action,
  createAccount,
  createPasswordLink,
  deleteAccountNow,
  disableAccount,
  enableAccount,
  type ManageDeps,
} from './change-account.ts';
import { managedUserReply } from './managed-user-reply.ts';
import { countManagedUsers, listManagedUsers } from './managed-user-store.ts';

export type ManageUserDeps = ManageDeps & { log: Logger };

const path = '/api/manage/users/';

/** For staff: who there is, and what is done about an account. Each change is on record in the log. */
export function registerManageUserRoutes(app: FastifyInstance, deps: ManageUserDeps): void {
  mountList(app, deps);
  mountEnding(app, deps);
  const { log } = deps;
  mount(app, 'POST /api/manage/users/', { login: 'required' }, async ({ body, session, req }) => {
    const input = { byUserId: session.userId, ip: req.ip, username: body.username, validHours: body.valid_hours };
    const { user, link } = await createAccount(deps, input);
    log.warn({ byUserId: session.userId, userId: user.id }, 'an account was created');
    return { user: managedUserReply(user), link };
  });
  mount(app, 'POST /api/manage/users/{id}/password_link/', { login: 'required' }, async (call) => {
    const { params, body, session, req } = call;
    const action = { byUserId: session.userId, ip: req.ip, userId: params.id };
    const link = await createPasswordLink(deps, action, body.valid_hours);
    log.warn(action, 'a link for another password was made');
    return link;
  });
}

function mountList(app: FastifyInstance, { db }: ManageUserDeps): void {
  mount(app, 'GET /api/manage/users/', { login: 'required' }, async ({ query }) => {
    const { search = '' } = query;
    const [count, rows] = [await countManagedUsers(db, search), await listManagedUsers(db, { ...query, search })];
    return { count, ...pageLinks(path, query, count), results: rows.map(managedUserReply) };
  });
}

function mountEnding(app: FastifyInstance, { db, log }: ManageUserDeps): void {
  mount(app, 'POST /api/manage/users/{id}/disabled/', { login: 'required' }, async ({ params, session, req }) => {
    const action: Action = { byUserId: session.userId, ip: req.ip, userId: params.id };
    const user = await disableAccount(db, action);
    log.warn(action, 'an account was disabled');
    return managedUserReply(user);
  });
  mount(app, 'DELETE /api/manage/users/{id}/disabled/', { login: 'required' }, async ({ params, session, req }) => {
    const action: Action = { byUserId: session.userId, ip: req.ip, userId: params.id };
    const user = await enableAccount(db, action);
    log.warn(action, 'an account was enabled');
    return managedUserReply(user);
  });
  mount(app, 'DELETE /api/manage/users/{id}/', { login: 'required' }, async ({ params, session, req }) => {
    const action: Action = { byUserId: session.userId, ip: req.ip, userId: params.id };
    await deleteAccountNow(db, action);
    log.warn(action, 'an account is being deleted');
    return { ok: true as const };
  });
}
