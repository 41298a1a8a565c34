import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/**
 * The totals of a run: how many tests passed and were skipped, and the name and message of each failure. Tests that
 * passed at the second try count as passed, and are listed in the same way.
 */
export const Totals = z.object({
  passed: z.number().int(),
  skipped: z.number().int(),
  failures: z.array(z.string()).readonly(),
  secondTries: z.array(z.string()).readonly(),
});
export type Totals = z.infer<typeof Totals>;

export const noTests: Totals = { passed: 0, skipped: 0, failures: [], secondTries: [] };

export function addTotals(...all: Totals[]): Totals {
  return all.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      skipped: sum.skipped + next.skipped,
      failures: [...sum.failures, ...next.failures],
      secondTries: [...sum.secondTries, ...next.secondTries],
    }),
    noTests,
  );
}

/** The closing line of a run, as machines read it. */
export function totalsLine({ passed, skipped, failures }: Totals): string {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A busy machine may delay a few tests. More second tries have a cause that must be found first. */
const MAX_SECOND_TRIES = 2;

export function hasPassed({ passed, failures, secondTries }: Totals): boolean {
  return passed > 0 && failures.length === 0 && secondTries.length <= MAX_SECOND_TRIES;
}

/** What passed at the second try only, for the end of a run; each is a bug of the test or of the product. */
export function secondTriesText(secondTries: readonly string[]): string {
  const heading = `${secondTries.length} passed only when tried again, of at most ${MAX_SECOND_TRIES}; what they said at first:`;
  return [heading, ...secondTries.map(failureText)].join('\n');
}

const MAX_LINES_OF_FAILURE = 20;

/** What failed, for the end of a run: its own place is thousands of lines above, and a log may be kept by its end. */
export function failuresText(failures: readonly string[]): string {
  return failures.map(failureText).join('\n');
}

function failureText(failure: string): string {
  // Colours are cut through by the limit, and a log shows them as signs.
  const lines = stripVTControlCharacters(failure).trimEnd().split('\n');
  const rest = lines.length - MAX_LINES_OF_FAILURE;
  const shown = rest > 0 ? [...lines.slice(0, MAX_LINES_OF_FAILURE), `… ${rest} more lines above`] : lines;
  return `✗ ${shown.join('\n    ')}`;
}
