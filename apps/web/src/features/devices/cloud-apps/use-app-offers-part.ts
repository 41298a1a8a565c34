import { useQuery } from '@tanstack/react-query';
import { useAppOffers } from './use-app-offers.ts';

/** The component that shows them, loaded once there are any, see `useAccessRequestsPart`. */
export function useAppOffersPart() {
  const { data: offers = [] } = useAppOffers();
  return useQuery({
    queryKey: ['component', 'app-offers'],
    queryFn: async () => (await import('./app-offers.tsx')).AppOffers,
    enabled: offers.length > 0,
    staleTime: Infinity,
  });
}
