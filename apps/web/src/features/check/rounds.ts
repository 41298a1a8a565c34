import { dropNote, writeNote, readNote } from '../../ui/session-note.ts';

const storageKey = 'tongtu.check-rounds';
const maxRounds = 3;
const withinMs = 30_000;

/** Notes that this tab is sent on to an address, from where it comes back when the browser keeps no proof. */
export function countRound(url: string, wallClockMs: number): void {
  writeNote(storageKey, [url, ...recentRounds(url, wallClockMs), wallClockMs].join('\n'));
}

/** Whether this tab has been sent on to the address so often that once more would lead back here as well. */
export function isGoingRound(url: string, wallClockMs: number): boolean {
  return recentRounds(url, wallClockMs).length >= maxRounds;
}

export function forgetRounds(): void {
  dropNote(storageKey);
}

/** When it was sent there, lately; of one address only, the last one. */
function recentRounds(url: string, wallClockMs: number): number[] {
  const [notedUrl, ...times] = readNote(storageKey).split('\n');
  if (notedUrl !== url) return [];
  return times.map(Number).filter((atMs) => Math.abs(wallClockMs - atMs) < withinMs);
}
