import type { ManagedUser } from '@tongtu/contract';
import type { StateTone } from '../../ui/state-tag.tsx';

export type UserState = 'active' | 'disabled' | 'waiting' | 'deleting' | 'leaving';

/** Nobody can log in to the account until somebody chooses a password by a link. */
export function hasNoSignInMethod(user: ManagedUser): boolean {
  return !user.has_password && user.phone_number === '' && !user.has_wechat;
}

export function userStateOf(user: ManagedUser): UserState {
  if (user.deletion_at !== null) return user.disabled_at === null ? 'leaving' : 'deleting';
  if (user.disabled_at !== null) return 'disabled';
  return hasNoSignInMethod(user) ? 'waiting' : 'active';
}

export const userStateTones: Record<UserState, StateTone> = {
  active: 'good',
  disabled: 'muted',
  waiting: 'caution',
  deleting: 'bad',
  leaving: 'caution',
};
