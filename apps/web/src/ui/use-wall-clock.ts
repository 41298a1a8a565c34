import { useEffect, useState } from 'react';

/** The time, renewed every `intervalMs`, for texts that age. */
export function useWallClock(intervalMs: number): number {
  const [wallClockMs, setWallClockMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setWallClockMs(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return wallClockMs;
}
