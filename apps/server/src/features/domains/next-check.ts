const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** While somebody may be waiting at the screen, then while DNS may take its time, then now and then. */
const pace = [
  { until: 8, seconds: 15 },
  { until: 30, seconds: MINUTE },
  { until: 60, seconds: 10 * MINUTE },
  { until: 120, seconds: HOUR },
  { until: Infinity, seconds: 6 * HOUR },
];

/** How long to wait after so many checks that found nothing. */
export function nextCheckInSeconds(tries: number): number {
  return pace.find(({ until }) => tries < until)?.seconds ?? 6 * HOUR;
}
