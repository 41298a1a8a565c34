import { useEffect, useState } from 'react';

/** The wall clock, updated every `intervalMs`, for texts that depend on it. */
export function useWallClock(intervalMs: number): number {
  const [wallClockMs, setWallClockMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setWallClockMs(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return wallClockMs;
}
