import { useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';
import { cloudAppsKey } from './use-cloud-apps.ts';

/** Below the apps, so that a live event about them also refetches the offers. */
const offersKey = [...cloudAppsKey, 'offers'];

/** The apps of others that wait for the user's answer. */
export function useAppOffers() {
  const { call } = useApi();
  return useQuery({
    queryKey: offersKey,
    queryFn: ({ signal }) => call('GET /api/user/cloud_app_offers/', { signal }),
    refetchOnWindowFocus: 'always',
  });
}

export function useAcceptOffer() {
  return useChange([cloudAppsKey], (call, id: number) =>
    call('POST /api/user/cloud_app_offers/{id}/accept/', { params: { id } }),
  );
}

export function useDeclineOffer() {
  return useChange([offersKey], (call, id: number) =>
    call('DELETE /api/user/cloud_app_offers/{id}/', { params: { id } }),
  );
}
