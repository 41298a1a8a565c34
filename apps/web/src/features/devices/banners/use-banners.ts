import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

/** What staff show above the devices. */
export function useBanners() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site-entries', 'banners'],
    queryFn: ({ signal }) => call('GET /api/site/promoters/', { signal }),
  });
}
