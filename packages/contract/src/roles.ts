/** The flags of a profile that say what its user may do for the operator (specification §6). */
export type RoleFlags = Readonly<Record<'is_staff' | 'is_promoter' | 'is_superuser', boolean>>;

/** What calls and screens ask of their user. A management user is one with any of the flags; that alone is no staff. */
export type Role = 'management' | 'staff' | 'superuser';

/** Whether a user may manage the account of another one. What they may do to their own is on their account page. */
export function mayManage(user: RoleFlags, other: RoleFlags): boolean {
  return hasRole(user, other.is_superuser ? 'superuser' : 'staff');
}

/** The one rule for server and console. This file loads no library, so the browser can import it. */
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
