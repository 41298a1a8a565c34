import { expect, test } from 'vitest';
import { hasRole, type Role, type RoleFlags } from './roles.ts';

const nobody: RoleFlags = { is_staff: false, is_promoter: false, is_superuser: false };

test.each<[keyof RoleFlags, Role[]]>([
  ['is_promoter', ['management']],
  ['is_staff', ['management', 'staff']],
  ['is_superuser', ['management', 'staff', 'superuser']],
])('%s gives the roles %j and no other', (flag, given) => {
  const all: Role[] = ['management', 'staff', 'superuser'];
  expect(all.filter((role) => hasRole({ ...nobody, [flag]: true }, role))).toEqual(given);
});

test('a user without a flag has no role', () => {
  const all: Role[] = ['management', 'staff', 'superuser'];
  expect(all.filter((role) => hasRole(nobody, role))).toEqual([]);
});
