import { dropNote, keepNote, readNote } from '../../ui/session-note.ts';

const storageKey = 'tongtu.check-rounds';
const maxRounds = 3;
const withinMs = 30_000;

/** Notes that this tab is sent on to an address, from where it comes back when the browser keeps no proof. */
export function countRound(url: string, nowMs: number): void {
  keepNote(storageKey, [url, ...recentRounds(url, nowMs), nowMs].join('\n'));
}

/** Whether this tab has been sent on to the address so often that once more would lead back here as well. */
export function isGoingRound(url: string, nowMs: number): boolean {
  return recentRounds(url, nowMs).length >= maxRounds;
}

export function forgetRounds(): void {
  dropNote(storageKey);
}

/** When it was sent there, lately; of one address only, the last one. */
function recentRounds(url: string, nowMs: number): number[] {
  const [notedUrl, ...times] = readNote(storageKey).split('\n');
  if (notedUrl !== url) return [];
  return times.map(Number).filter((atMs) => Math.abs(nowMs - atMs) < withinMs);
}
