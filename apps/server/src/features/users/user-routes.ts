import { AppError, type Profile, type ProfilePatch } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { readAccountToken } from './account-token.ts';
import { changePassword } from './change-password.ts';
import { changeProfile } from './change-profile.ts';
import { issueTokenSign } from './token-sign.ts';
import { findUser, type UserPatch, type UserRow } from './user-store.ts';

export type UserRoutesDeps = { db: Db; sealingKey: Buffer; csrfKey: Buffer; publicUrl: string; billing: 'off' | 'on' };

/** Profile, password and the one-time binding proof. */
export function registerUserRoutes(app: FastifyInstance, deps: UserRoutesDeps): void {
  registerProfile(app, deps);
  mount(app, 'POST /custom/password/', { login: 'required' }, async ({ body, session }) => {
    await changePassword(deps.db, {
      userId: session.userId,
      keptSession: session.idHash,
      oldPassword: body.old_password ?? '',
      newPassword: body.new_password,
    });
    return { ok: true as const };
  });
  mount(app, 'GET /api/user/token-sign/', { login: 'required', maxPerMinute: 60 }, async ({ session }) => {
    const { tokenId, sign, expiresAt } = await issueTokenSign(deps.db, session.userId);
    return { token_id: tokenId, sign, expires_at: expiresAt.toISOString() };
  });
}

function registerProfile(app: FastifyInstance, deps: UserRoutesDeps): void {
  mount(app, 'GET /api/profile/', { login: 'optional' }, async ({ session }) => {
    const user = session && (await findUser(deps.db, session.userId));
    return user ? [await profileReply(deps, user)] : [];
  });
  mount(app, 'PATCH /api/profile/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    if (params.id !== session.userId) throw new AppError('user.not-found');
    return await profileReply(deps, await changeProfile(deps.db, params.id, patchOf(body)));
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

async function profileReply(deps: UserRoutesDeps, user: UserRow): Promise<Profile> {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    token: await readAccountToken(deps.db, deps.sealingKey, user.id),
    url: `${deps.publicUrl}/api/profile/${user.id}/`,
    is_staff: user.isStaff,
    is_promoter: user.isPromoter,
    is_superuser: user.isSuperuser,
    is_payed: deps.billing === 'off', // self-hosted: everything is allowed to everybody (product.md §7)
    accepted_terms_of_service: user.acceptedTermsOfService,
    accepted_terms_of_payment: user.acceptedTermsOfPayment,
    readed_announcement_id: user.readedAnnouncementId,
    phone_number: user.phoneNumber ?? '',
    phone_verified: user.phoneNumber !== null,
    phone_bound_at: user.phoneBoundAt?.toISOString() ?? null,
  };
}
