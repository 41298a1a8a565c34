import { dropNotes } from '../session-note.ts';

export const countdownPrefix = 'tongtu.countdown.';

/** Called on logout, for the next user of this tab. */
export function forgetCountdowns(): void {
  dropNotes(countdownPrefix);
}
