import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdoptionSuggestion } from '@tongtu/contract';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

const dismissedItem = 'tongtu.not-the-same-device';
const maxDismissed = 100;

/** Not fetched while it is not wanted: the device is deleted by the adoption, and then has no preview. */
export function useAdoptionPreview(lostId: number, { isWanted }: { isWanted: boolean }) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...devicesKey, 'adoption', lostId],
    queryFn: ({ signal }) => call('GET /api/user/routers/{id}/adoption/', { params: { id: lostId }, signal }),
    enabled: isWanted,
  });
}

export function useAdopt() {
  return useChange([devicesKey], (call, { lost, router }: { lost: number; router: number }) =>
    call('POST /api/user/routers/{id}/adoption/', { params: { id: lost }, body: { router } }),
  );
}

/** New devices that look like lost ones, without the pairs of which this browser's user said that they are not the same. */
export function useSuggestions(isWanted: boolean) {
  const { call } = useApi();
  const [dismissed, setDismissed] = useState(readDismissed);
  const { data = [] } = useQuery({
    queryKey: [...devicesKey, 'lost'],
    queryFn: ({ signal }) => call('GET /api/user/lost_routers/', { signal }),
    enabled: isWanted,
  });
  const dismiss = (suggestion: AdoptionSuggestion) => {
    const pairs = [...dismissed, pairOf(suggestion)].slice(-maxDismissed);
    setDismissed(pairs);
    storeDismissed(pairs);
  };
  return { suggestions: data.filter((suggestion) => !dismissed.includes(pairOf(suggestion))), dismiss };
}

function pairOf({ lost, router }: AdoptionSuggestion): string {
  return `${lost}-${router}`;
}

function readDismissed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(dismissedItem) ?? '[]');
    return Array.isArray(stored) ? stored.filter((pair) => typeof pair === 'string') : [];
  } catch {
    return []; // no storage, or not written by the console
  }
}

function storeDismissed(pairs: readonly string[]): void {
  try {
    localStorage.setItem(dismissedItem, JSON.stringify(pairs));
  } catch {
    // Without storage the suggestion is back after a reload.
  }
}
