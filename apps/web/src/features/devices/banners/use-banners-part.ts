import { useQuery } from '@tanstack/react-query';
import { useBanners } from './use-banners.ts';

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
