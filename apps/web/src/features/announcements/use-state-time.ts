import type { ManagedAnnouncement } from '@tongtu/contract';
import { useEffect, useState } from 'react';

/** A timer may sleep with its computer, and has a longest time. */
const renewWithinMs = 20_000;

/** The time to tell the states of these announcements by, renewed when the next of them begins or ends. */
export function useStateTime(announcements: readonly ManagedAnnouncement[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const turnsMs = announcements
    .flatMap(({ starts_at, ends_at }) => [starts_at, ends_at])
    .flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  const nextMs = Math.min(...turnsMs.filter((turnMs) => turnMs > nowMs));

  useEffect(() => {
    if (nextMs === Infinity) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(nextMs - Date.now(), renewWithinMs));
    return () => clearTimeout(timer);
  }, [nextMs, nowMs]);
  return nowMs;
}
