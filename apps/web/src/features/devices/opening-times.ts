/** Beijing has kept UTC+8 without summer time since 1991. */
const beijingOffsetMs = 8 * 3_600_000;
const dayMs = 24 * 3_600_000;

function beijingDate(timeMs: number): string {
  return new Date(timeMs + beijingOffsetMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The day in Beijing on which a mapping opens. */
export function dateOfOpening(opensAt: string): string {
  return beijingDate(Date.parse(opensAt));
}

/** The last day in Beijing on which a mapping is open: one that closes at midnight closes with the day before. */
export function dateOfClosing(closesAt: string): string {
  return beijingDate(Date.parse(closesAt) - 1);
}

/** The beginning of a day in Beijing. */
export function openingOf(date: string): string {
  return new Date(`${date}T00:00:00+08:00`).toISOString();
}

/** The end of a day in Beijing, which still belongs to it. */
export function closingOf(date: string): string {
  return new Date(Date.parse(openingOf(date)) + dayMs).toISOString();
}
