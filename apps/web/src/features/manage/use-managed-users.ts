import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi, useChange } from '../../api/index.ts';

const manageKey = ['manage'];
/** Accounts and invitations have no live events: people join, log in and are deleted while the page is open. */
const pollEveryMs = 10_000;
/** While an account is being deleted. */
const deletingEveryMs = 2_000;

export function useManagedUsers(filter: { search: string; limit: number; offset: number }) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...manageKey, 'users', filter],
    queryFn: ({ signal }) => call('GET /api/manage/users/', { query: filter, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      state.data?.results.some((user) => user.disabled_at !== null && user.deletion_at !== null)
        ? deletingEveryMs
        : pollEveryMs,
  });
}

export function useInvitations() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...manageKey, 'invitations'],
    queryFn: ({ signal }) => call('GET /api/manage/invitations/', { signal }),
    refetchOnWindowFocus: true,
    refetchInterval: pollEveryMs,
  });
}

export function useRegistration() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...manageKey, 'registration'],
    queryFn: ({ signal }) => call('GET /api/manage/registration/', { signal }),
  });
}

export function useSetRegistration() {
  return useChange(
    [manageKey, ['site']],
    (call, registration: RequestBody<'PATCH /api/manage/registration/'>['registration']) =>
      call('PATCH /api/manage/registration/', { body: { registration } }),
  );
}

export function useInvite() {
  return useChange([manageKey], (call, body: RequestBody<'POST /api/manage/invitations/'>) =>
    call('POST /api/manage/invitations/', { body }),
  );
}

export function useRevokeInvitation() {
  return useChange([manageKey], (call, id: number) => call('DELETE /api/manage/invitations/{id}/', { params: { id } }));
}

export function useCreateAccount() {
  return useChange([manageKey], (call, body: RequestBody<'POST /api/manage/users/'>) =>
    call('POST /api/manage/users/', { body }),
  );
}

export function useMakePasswordLink(id: number) {
  return useChange([manageKey], (call, validHours: number) =>
    call('POST /api/manage/users/{id}/password_link/', { params: { id }, body: { valid_hours: validHours } }),
  );
}

export function useSetRoles(id: number) {
  return useChange([manageKey, ['profile']], (call, body: RequestBody<'PATCH /api/manage/users/{id}/'>) =>
    call('PATCH /api/manage/users/{id}/', { params: { id }, body }),
  );
}

export function useSetDisabled(id: number) {
  return useChange([manageKey], (call, isDisabled: boolean) =>
    isDisabled
      ? call('POST /api/manage/users/{id}/disabled/', { params: { id } })
      : call('DELETE /api/manage/users/{id}/disabled/', { params: { id } }),
  );
}

export function useDeleteUser(id: number) {
  return useChange([manageKey], (call, _input: void) => call('DELETE /api/manage/users/{id}/', { params: { id } }));
}
