import { beijingText } from '../beijing-time.ts';

const DAY_MS = 86_400_000;
/** Providers promise the bill of a day for 10:00 of the next one. */
const READY_HOUR = 12;
/** Days without a comparison, because the service was stopped or the provider did not answer, are made up for this long. */
const DAYS_BACK = 7;

function dayOf(date: Date): string {
  return beijingText(date).slice(0, 10);
}

/** The days in Beijing whose bills should be there, the oldest first. */
export function billedDays(now: Date): string[] {
  const lastReady = now.getTime() - READY_HOUR * 3_600_000 - DAY_MS;
  return Array.from({ length: DAYS_BACK }, (_, index) => dayOf(new Date(lastReady - (DAYS_BACK - 1 - index) * DAY_MS)));
}
