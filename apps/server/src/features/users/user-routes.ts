import { AppError, type ProfilePatch } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { changeProfile } from './change-profile.ts';
import { describeProfile, type ProfileDeps } from './describe-profile.ts';
import { issueTokenSign } from './tokens/token-sign.ts';
import { findUser, type UserPatch } from './user-store.ts';

/** Profile and the one-time binding proof. */
export function registerUserRoutes(app: FastifyInstance, deps: ProfileDeps): void {
  registerProfile(app, deps);
  mount(app, 'GET /api/user/token-sign/', { login: 'required' }, async ({ session }) => {
    const { tokenId, sign, expiresAt } = await issueTokenSign(deps.db, session.userId);
    return { token_id: tokenId, sign, expires_at: expiresAt.toISOString() };
  });
}

function registerProfile(app: FastifyInstance, deps: ProfileDeps): void {
  mount(app, 'GET /api/profile/', { login: 'optional' }, async ({ session }) => {
    const user = session && (await findUser(deps.db, session.userId));
    return user ? [await describeProfile(deps, user)] : [];
  });
  mount(app, 'PATCH /api/profile/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    if (params.id !== session.userId) throw new AppError('user.not-found');
    return await describeProfile(deps, await changeProfile(deps.db, params.id, patchOf(body)));
  });
}

function patchOf(body: ProfilePatch): UserPatch {
  return {
    username: body.username,
    acceptedTermsOfService: body.accepted_terms_of_service,
    acceptedTermsOfPayment: body.accepted_terms_of_payment,
    readedAnnouncementId: body.readed_announcement_id,
  };
}
