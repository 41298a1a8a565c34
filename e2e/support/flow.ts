import { onTestFailed, type TestContext } from 'vitest';

/**
 * For tests that continue where the one before ended. Called before each test, it skips the tests after a failed one,
 * but not the second try of that one. `isSecondTry`: the first try may have left something behind.
 */
export function openFlow(): (context: Pick<TestContext, 'task' | 'skip'>) => { isSecondTry: boolean } {
  let brokenAt: string | undefined;
  return ({ task, skip }) => {
    const isSecondTry = brokenAt === task.id;
    if (brokenAt !== undefined && !isSecondTry) skip('an earlier test of the flow failed');
    brokenAt = undefined;
    onTestFailed(() => void (brokenAt = task.id));
    return { isSecondTry };
  };
}
