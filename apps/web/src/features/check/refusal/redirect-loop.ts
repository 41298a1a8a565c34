import { dropNote, writeNote, readNote } from '../../../ui/session-note.ts';

const storageKey = 'tongtu.check-rounds';
const maxRedirects = 3;
const withinMs = 30_000;

/** Counts a redirect of this tab to an address. The browser returns from there when it does not store the proof. */
export function countRedirect(url: string, wallClockMs: number): void {
  writeNote(storageKey, [url, ...recentRedirects(url, wallClockMs), wallClockMs].join('\n'));
}

/** Whether this tab was redirected there so often that another redirect would come back as well. */
export function isRedirectLoop(url: string, wallClockMs: number): boolean {
  return recentRedirects(url, wallClockMs).length >= maxRedirects;
}

export function forgetRedirects(): void {
  dropNote(storageKey);
}

/** The times of recent redirects, if the last one went to this address. */
function recentRedirects(url: string, wallClockMs: number): number[] {
  const [notedUrl, ...times] = readNote(storageKey).split('\n');
  if (notedUrl !== url) return [];
  return times.map(Number).filter((atMs) => Math.abs(wallClockMs - atMs) < withinMs);
}
