import type { Profile } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { hasPaidPlan } from '../plans/index.ts';
import { readAccountToken } from './tokens/account-token.ts';
import type { UserRow } from './user-store.ts';

export type ProfileDeps = { db: Db; sealingKey: Buffer; publicUrl: string; billing: 'off' | 'on' };

/** The profile as its owner sees it. */
export async function describeProfile(deps: ProfileDeps, user: UserRow): Promise<Profile> {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    token: await readAccountToken(deps.db, deps.sealingKey, user.id),
    url: `${deps.publicUrl}/api/profile/${user.id}/`,
    is_staff: user.isStaff,
    is_promoter: user.isPromoter,
    is_superuser: user.isSuperuser,
    // Without billing every account may use everything.
    is_payed: deps.billing === 'off' || (await hasPaidPlan(deps.db, user.id)),
    accepted_terms_of_service: user.acceptedTermsOfService,
    accepted_terms_of_payment: user.acceptedTermsOfPayment,
    readed_announcement_id: user.readedAnnouncementId,
    phone_number: user.phoneNumber ?? '',
    phone_verified: user.phoneNumber !== null,
    phone_bound_at: user.phoneBoundAt?.toISOString() ?? null,
  };
}
