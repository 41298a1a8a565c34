import { z } from 'zod';

export type Totals = { passed: number; failed: number; skipped: number };

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

/** The part of vitest's JSON report that is read here. */
const Report = z.object({
  numPassedTests: z.number().int(),
  numFailedTests: z.number().int(),
  numPendingTests: z.number().int(),
  numTodoTests: z.number().int(),
});

export function totalsOfReport(report: unknown): Totals {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = Report.parse(report);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

export function addTotals(...all: Totals[]): Totals {
  return all.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
    }),
    noTests,
  );
}

/** The closing line of a run, as machines read it. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
