import type { ManagedUser } from '@tongtu/contract';
import { flagsOf } from '../../http/session.ts';
import type { ManagedUserRow } from './managed-user-store.ts';

export function managedUserReply(user: ManagedUserRow): ManagedUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    phone_number: user.phoneNumber ?? '',
    has_wechat: user.hasWechat,
    has_password: user.hasPassword,
    second_factor: user.secondFactor,
    ...flagsOf(user),
    device_count: user.deviceCount,
    mapping_count: user.mappingCount,
    created_at: user.createdAt.toISOString(),
    last_seen_at: user.lastSeenAt?.toISOString() ?? null,
    disabled_at: user.disabledAt?.toISOString() ?? null,
    deletion_at: user.deletionAt?.toISOString() ?? null,
  };
}
