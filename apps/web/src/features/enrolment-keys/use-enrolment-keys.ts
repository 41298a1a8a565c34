import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useCallback } from 'react';
import { useApi, useChange } from '../../api/index.ts';

const enrolmentKeysKey = ['enrolment-keys'];
const lineKey = ['enrolment-key-to-paste'];

/** Half of the default key's hour: a user who has copied the line has half an hour left to paste it. */
const renewEveryMs = 30 * 60_000;

export type EnrolmentKeyFields = RequestBody<'POST /api/user/enrolment_keys/'>;

/** The keys that enrol devices, and those that did so lately. */
export function useEnrolmentKeys() {
  const { call } = useApi();
  return useQuery({
    queryKey: enrolmentKeysKey,
    queryFn: ({ signal }) => call('GET /api/user/enrolment_keys/', { signal }),
    refetchOnWindowFocus: true,
  });
}

export function useCreateEnrolmentKey() {
  return useChange([enrolmentKeysKey], (call, body: EnrolmentKeyFields) =>
    call('POST /api/user/enrolment_keys/', { body }),
  );
}

export function useDeleteEnrolmentKey() {
  const queryClient = useQueryClient();
  return useChange([enrolmentKeysKey], async (call, id: number) => {
    // The deleted key may be the one that the dialog would show again.
    queryClient.removeQueries({ queryKey: lineKey });
    return await call('DELETE /api/user/enrolment_keys/{id}/', { params: { id } });
  });
}

/** A key for the line to paste. A dialog that is opened again shows the same one while it has not been used. */
export function useKeyToPaste(fields: EnrolmentKeyFields) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: [...lineKey, fields],
    queryFn: async () => {
      const { key } = await call('POST /api/user/enrolment_keys/', { body: fields });
      void queryClient.invalidateQueries({ queryKey: enrolmentKeysKey });
      return key;
    },
    staleTime: renewEveryMs,
    refetchInterval: renewEveryMs,
    gcTime: renewEveryMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Makes another key for the line that is shown. */
export function useRenewKeyToPaste() {
  const queryClient = useQueryClient();
  return useCallback(() => void queryClient.resetQueries({ queryKey: lineKey }), [queryClient]);
}

/** To be called when a device was added: a single-use key is used up by that. */
export function useForgetKeyToPaste() {
  const queryClient = useQueryClient();
  return useCallback(() => {
    queryClient.removeQueries({ queryKey: lineKey });
    void queryClient.invalidateQueries({ queryKey: enrolmentKeysKey });
  }, [queryClient]);
}
