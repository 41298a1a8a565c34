/** The flags of a profile that allow management tasks (specification §6). */
export type RoleFlags = Readonly<Record<'is_staff' | 'is_promoter' | 'is_superuser', boolean>>;

/** The roles that calls and screens require. `management`: any of the flags. */
export type Role = 'management' | 'staff' | 'superuser';

/** Whether a user may manage another user's account. One's own account is managed on the account page. */
export function mayManage(user: RoleFlags, other: RoleFlags): boolean {
  return hasRole(user, other.is_superuser ? 'superuser' : 'staff');
}

/** Decides roles for server and console alike. This file imports no library, so the browser can load it. */
export function hasRole(user: RoleFlags, role: Role): boolean {
  switch (role) {
    case 'management':
      return user.is_staff || user.is_promoter || user.is_superuser;
    case 'staff':
      return user.is_staff || user.is_superuser;
    case 'superuser':
      return user.is_superuser;
  }
}
