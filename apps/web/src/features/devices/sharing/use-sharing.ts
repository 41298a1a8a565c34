import { useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi, useChange } from '../../../api/index.ts';

/** The first part is the topic of the live stream: every use of a link changes its count. */
const sharingKey = (what: 'shares' | 'members' | 'client-window', mappingId: number) => [
  'verifications',
  what,
  mappingId,
];

export function useShareLinks(mappingId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: sharingKey('shares', mappingId),
    queryFn: ({ signal }) => call('GET /api/user/records/{id}/shares/', { params: { id: mappingId }, signal }),
    gcTime: 0,
  });
}

type ShareBody = RequestBody<'POST /api/user/records/{id}/shares/'>;

export function useCreateShareLink(mappingId: number) {
  return useChange([sharingKey('shares', mappingId)], (call, body: ShareBody) =>
    call('POST /api/user/records/{id}/shares/', { params: { id: mappingId }, body }),
  );
}

/** Asks for a confirmation, after which the list has the addresses of the links. */
export function useShowShareLink(mappingId: number) {
  return useChange([sharingKey('shares', mappingId)], (call, id: number) =>
    call('GET /api/user/shares/{id}/', { params: { id } }),
  );
}

/** Revokes a link, and at once the access of everybody who used it. */
export function useRevokeShareLink(mappingId: number) {
  return useChange([sharingKey('shares', mappingId)], (call, id: number) =>
    call('DELETE /api/user/shares/{id}/', { params: { id } }),
  );
}

export function useMembers(mappingId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: sharingKey('members', mappingId),
    queryFn: ({ signal }) => call('GET /api/user/records/{id}/members/', { params: { id: mappingId }, signal }),
    gcTime: 0,
  });
}

export function useAddMember(mappingId: number) {
  return useChange([sharingKey('members', mappingId)], (call, contact: string) =>
    call('POST /api/user/records/{id}/members/', { params: { id: mappingId }, body: { contact } }),
  );
}

/** Creates a link for a member who has not joined. It replaces an earlier one. */
export function useInviteMember() {
  return useChange([], (call, id: number) => call('POST /api/user/members/{id}/invitation/', { params: { id } }));
}

/** Ends a member's access at once. */
export function useRemoveMember(mappingId: number) {
  return useChange([sharingKey('members', mappingId)], (call, id: number) =>
    call('DELETE /api/user/members/{id}/', { params: { id } }),
  );
}

const watchEveryMs = 2000;

/** The state of the client window. It is polled often while the window is open, in case the live stream is down. */
export function useClientWindow(mappingId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: sharingKey('client-window', mappingId),
    queryFn: ({ signal }) => call('GET /api/user/records/{id}/mark_client/', { params: { id: mappingId }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? watchEveryMs : false),
  });
}

export function useOpenClientWindow(mappingId: number) {
  return useChange([sharingKey('client-window', mappingId)], (call, _input: void) =>
    call('POST /api/user/records/{id}/mark_client/', { params: { id: mappingId } }),
  );
}

export function useCloseClientWindow(mappingId: number) {
  return useChange([sharingKey('client-window', mappingId)], (call, _input: void) =>
    call('DELETE /api/user/records/{id}/mark_client/', { params: { id: mappingId } }),
  );
}
