import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Profile, RequestBody } from '@tongtu/contract';
import { type Api, useApi, useChange } from '../../api/index.ts';
import { securityKey } from './use-security.ts';

export function useRenameUser(userId: number) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => call('PATCH /api/profile/{id}/', { params: { id: userId }, body: { username } }),
    onSuccess: (profile) => queryClient.setQueryData(['profile'], profile),
  });
}

/** The server replaces this session and ends all others. */
export function useChangePassword() {
  return useChange([securityKey, ['sessions']], (call, body: RequestBody<'POST /custom/password/'>) =>
    call('POST /custom/password/', { body }),
  );
}

/** A change to which the server replies with the new profile. */
function useConfirmedChange<Input>(change: (call: Api['call'], input: Input) => Promise<Profile>) {
  const queryClient = useQueryClient();
  return useChange([securityKey], async (call, input: Input) => {
    const profile = await change(call, input);
    queryClient.setQueryData(['profile'], profile);
    return profile;
  });
}

export function useRotateToken() {
  return useConfirmedChange((call) => call('PATCH /custom/profile/', { body: { rotate_token: true } }));
}

/** Ends the previous token, which otherwise stays valid for a while. */
export function useEndPreviousToken() {
  return useChange([securityKey], (call) => call('DELETE /api/user/previous_token/'));
}

export function useBindEmail() {
  return useConfirmedChange((call, body: { email: string; code: string }) => call('PATCH /custom/profile/', { body }));
}

export function useBindWechat() {
  return useConfirmedChange((call, wechat: { code: string; state: string }) =>
    call('PATCH /custom/profile/', { body: { wechat } }),
  );
}

export function useUnbindWechat() {
  return useConfirmedChange((call) => call('PATCH /custom/profile/', { body: { wechat: null } }));
}

export function useBindPhone() {
  return useChange([securityKey, ['profile']], (call, body: RequestBody<'POST /api/verify/phone/bind/'>) =>
    call('POST /api/verify/phone/bind/', { body }),
  );
}

export function useReplacePhone() {
  return useChange([securityKey, ['profile']], (call, body: RequestBody<'POST /api/verify/phone/rebind/'>) =>
    call('POST /api/verify/phone/rebind/', { body }),
  );
}
