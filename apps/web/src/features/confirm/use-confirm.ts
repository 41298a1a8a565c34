import { startAuthentication } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';

const confirmKey = ['confirm'];

export type Proof = RequestBody<'POST /custom/confirm/'>;

/** How the caller can prove who they are. */
export function useConfirmState() {
  const { call } = useApi();
  return useQuery({
    queryKey: confirmKey,
    queryFn: ({ signal }) => call('GET /custom/confirm/', { signal }),
    // Asked anew for each question: a second step may have been switched on or off meanwhile.
    gcTime: 0,
    staleTime: 0,
  });
}

export function useConfirm() {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Proof) => call('POST /custom/confirm/', { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['security'] }),
  });
}

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

export function usePasskeyProof() {
  const { call } = useApi();
  return useMutation({
    mutationFn: async (): Promise<Proof> => {
      const { options } = await call('POST /custom/confirm/passkey_options/');
      // The contract passes WebAuthn's objects on as they are; the browser checks them.
      const passkey = await startAuthentication({ optionsJSON: options as unknown as RequestOptions });
      return { passkey: { ...passkey } };
    },
  });
}

/** Sends a code to the caller's own number. */
export function useSendConfirmCode() {
  const { call } = useApi();
  return (ticket: { ticket?: string }) =>
    call('POST /api/verify/sms/send/', { body: { purpose: 'confirm', ...ticket } });
}
