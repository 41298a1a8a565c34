import type { ManagedAnnouncement } from '@tongtu/contract';
import { useEffect, useState } from 'react';

/** Timers stop while a computer sleeps and have a maximum, so the time is renewed at least this often. */
const renewWithinMs = 20_000;

/** The wall clock for the states of these announcements, updated when the next one starts or ends. */
export function useStateTime(announcements: readonly ManagedAnnouncement[]): number {
  const [wallClockMs, setWallClockMs] = useState(() => Date.now());
  const turnsMs = announcements
    .flatMap(({ starts_at, ends_at }) => [starts_at, ends_at])
    .flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  const nextMs = Math.min(...turnsMs.filter((turnMs) => turnMs > wallClockMs));

  useEffect(() => {
    if (nextMs === Infinity) return undefined;
    const timer = setTimeout(() => setWallClockMs(Date.now()), Math.min(nextMs - Date.now(), renewWithinMs));
    return () => clearTimeout(timer);
  }, [nextMs, wallClockMs]);
  return wallClockMs;
}
