import { useMutation, useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi, useChange } from '../../api/index.ts';
import { usePasskeyAnswer } from './use-passkey-answer.ts';

const confirmKey = ['confirm'];

export type Proof = RequestBody<'POST /custom/confirm/'>;

/** How the caller can prove who they are. */
export function useProofMethods() {
  const { call } = useApi();
  return useQuery({
    queryKey: confirmKey,
    queryFn: ({ signal }) => call('GET /custom/confirm/', { signal }),
    // Asked anew for each question: a second step may have been switched on or off meanwhile.
    gcTime: 0,
    staleTime: 0,
  });
}

export function useSendProof() {
  return useChange([['security']], (call, body: Proof) => call('POST /custom/confirm/', { body }));
}

export function usePasskeyProof() {
  const { call } = useApi();
  const { ask } = usePasskeyAnswer();
  return useMutation({
    mutationFn: async (): Promise<Proof> => ({
      passkey: await ask((signal) => call('POST /custom/confirm/passkey_options/', { signal })),
    }),
  });
}

/** Sends a code to the caller's own number. */
export function useSendProofCode() {
  const { call } = useApi();
  return (ticket: { ticket?: string }) =>
    call('POST /api/verify/sms/send/', { body: { purpose: 'confirm', ...ticket } });
}
