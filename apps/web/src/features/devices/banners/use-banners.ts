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

/** The component that shows them, loaded once there are any. It is a query, so that the screen waits for it. */
export function useBannersPart() {
  const { data: banners = [] } = useBanners();
  return useQuery({
    queryKey: ['component', 'banners'],
    queryFn: async () => (await import('./banners.tsx')).Banners,
    enabled: banners.length > 0,
    staleTime: Infinity,
  });
}
