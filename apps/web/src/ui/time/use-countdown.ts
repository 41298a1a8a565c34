import { useEffect, useState } from 'react';
import { countdownPrefix } from './countdown-notes.ts';
import { writeNote, readNote } from '../session-note.ts';

const tickMs = 1000;
/** Longer countdowns are cut to a minute; the server refuses an earlier attempt. */
const longestSeconds = 60;

/**
 * The whole seconds that remain, 0 without a countdown. Each key has its own countdown, which survives a reload. None
 * lasts longer than a minute, even if the clock changes.
 */
export function useCountdown(key: string) {
  const storageKey = `${countdownPrefix}${key}`;
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
