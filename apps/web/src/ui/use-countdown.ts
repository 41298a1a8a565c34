import { useEffect, useState } from 'react';
import { dropNotes, writeNote, readNote } from './session-note.ts';

const prefix = 'tongtu.countdown.';
const tickMs = 1000;
/** Nobody looks at a count-down of hours; who tries earlier is told by the server. */
const longestSeconds = 60;

/** For the next person at this tab. */
export function forgetCountdowns(): void {
  dropNotes(prefix);
}

/**
 * Whole seconds that are left, 0 when none is. Every key has its own count-down, and each survives a reload of the page;
 * none takes longer than a minute, whatever it is started with and whatever the clock does.
 */
export function useCountdown(key: string) {
  const storageKey = `${prefix}${key}`;
  const [ends, setEnds] = useState<Readonly<Record<string, number>>>({});
  const [wallClockMs, setWallClockMs] = useState(() => Date.now());
  const endsAtMs = ends[storageKey] ?? (Number(readNote(storageKey)) || 0);
  const secondsLeft = Math.min(Math.max(Math.ceil((endsAtMs - wallClockMs) / 1000), 0), longestSeconds);
  const isRunning = secondsLeft > 0;

  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setWallClockMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning, storageKey]);

  function start(seconds: number) {
    const startedAtMs = Date.now();
    const end = startedAtMs + Math.min(seconds, longestSeconds) * 1000;
    setWallClockMs(startedAtMs);
    setEnds((others) => ({ ...others, [storageKey]: end }));
    writeNote(storageKey, String(end));
  }
  return { secondsLeft, start };
}
