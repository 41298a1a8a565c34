import { useMutation, useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useApi, useChange } from '../../api/index.ts';
import { usePasskeyAnswer } from './use-passkey-answer.ts';

const confirmKey = ['confirm'];

export type Proof = RequestBody<'POST /custom/confirm/'>;

/** The methods by which the user can prove their identity. */
export function useProofMethods() {
  const { call } = useApi();
  return useQuery({
    queryKey: confirmKey,
    queryFn: ({ signal }) => call('GET /custom/confirm/', { signal }),
    // Fetched for each dialog: the second step may have changed meanwhile.
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

/** Sends a code to the user's own number. */
export function useSendProofCode() {
  const { call } = useApi();
  return (ticket: { ticket?: string }) =>
    call('POST /api/verify/sms/send/', { body: { purpose: 'confirm', ...ticket } });
}
