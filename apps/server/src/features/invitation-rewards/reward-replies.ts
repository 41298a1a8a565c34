import type { InvitationAff, InvitationReward } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { ensureInvitationCode, readBindState } from '../inviters/index.ts';
import { countInvitees, listInvitees } from './invitee-store.ts';
import { maskName } from './mask-name.ts';
import { MONTHLY_CAP, rewardDays } from './reward-rules.ts';
import { type RewardRow, sumDays } from './reward-store.ts';

const MAX_INVITEES = 50;

/** The caller's code, with what it has brought. */
export async function affReply(
  { db, publicUrl }: { db: Db; publicUrl: string },
  userId: number,
): Promise<InvitationAff> {
  const code = await ensureInvitationCode(db, userId);
  const bind = await readBindState(db, userId);
  const counts = await countInvitees(db, userId);
  const invitees = await listInvitees(db, userId, MAX_INVITEES);
  const days = await sumDays(db, userId);
  return {
    code,
    link: `${new URL(publicUrl).origin}/#/login?aff=${code}`,
    invited_by: bind.inviter === null ? '' : maskName(bind.inviter),
    can_bind_until: bind.isBound || bind.isTooLate ? null : bind.until.toISOString(),
    invited_count: counts.invited,
    online_count: counts.online,
    paid_count: counts.paid,
    invitees: invitees.map(({ username, createdAt, hasBeenOnline, hasPaid }) => ({
      ...{ username: maskName(username), joined_at: createdAt.toISOString() },
      ...{ has_been_online: hasBeenOnline, has_paid: hasPaid },
    })),
    pending_days: days.pending,
    claimable_days: days.claimable,
    claimed_days: days.claimed,
    days_per_event: rewardDays,
    monthly_cap: MONTHLY_CAP,
  };
}

export function rewardReply(row: RewardRow): InvitationReward {
  const { id, event, status, days } = row;
  return {
    ...{ id, event, status, days },
    invitee: row.inviteeName,
    created_at: row.createdAt.toISOString(),
    claimable_at: row.claimableAt?.toISOString() ?? null,
    claimed_at: row.claimedAt?.toISOString() ?? null,
    claimed_as: row.claimedAs,
    void_reason: row.voidReason,
  };
}
