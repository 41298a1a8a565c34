import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { mount } from '../../http/mount.ts';
import { sendWithTicket } from '../phone/index.ts';
import { finishLogin, type LoginDeps } from '../second-factor/index.ts';
import { findUser, findUsername } from '../users/index.ts';
import { type ForgottenDeps, requestPasswordMail } from './forgotten-password.ts';
import { invite, type InviteDeps, inviteMember, revokeInvitation } from './invite.ts';
import { listInvitations } from './invitation-store.ts';
import {
  acceptInvitation,
  choosePassword,
  describeInvitation,
  joinByInvitation,
  type UseDeps,
} from './use-invitation.ts';

export type InvitationDeps = InviteDeps & ForgottenDeps & UseDeps & LoginDeps & { log: Logger };

const MAX_LISTED = 500;
const done = { ok: true as const };

/** Links with which people make an account, become a member, or choose a password. */
export function registerInvitationRoutes(app: FastifyInstance, deps: InvitationDeps): void {
  mountForStaff(app, deps);
  mountForAnybody(app, deps);
  mount(app, 'POST /api/user/members/{id}/invitation/', { login: 'required' }, async ({ params, session }) => {
    const link = await inviteMember(deps, { memberId: params.id, ownerId: session.userId });
    deps.log.info({ byUserId: session.userId, memberId: params.id }, 'a member was invited');
    return link;
  });
  mount(app, 'POST /api/invitation/accept/', { login: 'required' }, async ({ body, session }) => {
    await acceptInvitation(deps.db, session.userId, body.token);
    deps.log.info({ userId: session.userId }, 'an account accepted an invitation');
    return done;
  });
}

function mountForStaff(app: FastifyInstance, deps: InvitationDeps): void {
  const { db, log } = deps;
  mount(app, 'GET /api/manage/invitations/', { login: 'required' }, async () => {
    const rows = await listInvitations(db, MAX_LISTED);
    return rows.map(({ inviter, createdAt, expiresAt, ...row }) => ({
      ...row,
      invited_by: inviter,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }));
  });
  mount(app, 'POST /api/manage/invitations/', { login: 'required' }, async ({ body, session, req }) => {
    const byUser = { id: session.userId, username: await findUsername(db, session.userId), ip: req.ip };
    const link = await invite(deps, byUser, body);
    log.warn({ byUserId: session.userId, invitationId: link.id, byMail: link.email !== '' }, 'somebody was invited');
    return link;
  });
  mount(app, 'DELETE /api/manage/invitations/{id}/', { login: 'required' }, async ({ params, session, req }) => {
    await revokeInvitation(db, { userId: session.userId, ip: req.ip }, params.id);
    log.warn({ byUserId: session.userId, invitationId: params.id }, 'an invitation was revoked');
    return done;
  });
}

function mountForAnybody(app: FastifyInstance, deps: InvitationDeps): void {
  const { db, log } = deps;
  mount(app, 'POST /api/invitation/look/', { login: 'optional' }, async ({ body }) => {
    return await describeInvitation(db, body.token);
  });
  mount(app, 'POST /api/invitation/join/', { login: 'optional' }, async ({ body, req, reply }) => {
    const { token, username, new_password: password, aff } = body;
    const id = await joinByInvitation(deps, { token, username, password, aff });
    log.warn({ userId: id }, 'somebody joined by an invitation');
    return await finishLogin(deps, { id }, { req, reply });
  });
  mount(app, 'POST /api/invitation/password/', { login: 'optional' }, async ({ body }) => {
    const username = await choosePassword(db, { token: body.token, password: body.new_password });
    log.warn({ username }, 'a password was set by a link');
    return { username };
  });
  mount(app, 'POST /api/invitation/forgotten/', { login: 'optional' }, async ({ body, req, session }) => {
    const send = async () => await requestPasswordMail(deps, { email: body.email, ip: req.ip });
    // An account needs no captcha for its own address; for others' a session proves no more than anybody has.
    const own = session && (await findUser(db, session.userId));
    if (own?.email.toLowerCase() === body.email.toLowerCase()) await send();
    else await sendWithTicket(db, { ticket: body.ticket, purpose: 'sms', req }, send);
    return done;
  });
}
