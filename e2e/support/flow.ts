import { onTestFailed, type TestContext } from 'vitest';

/**
 * For tests that go on where the one before ended, to be called before each of them: skips those behind one that failed, but
 * not that one's second try. Says whether this is a second try, which may find what the first has left.
 */
export function openFlow(): (context: Pick<TestContext, 'task' | 'skip'>) => { isSecondTry: boolean } {
  let brokenAt: string | undefined;
  return ({ task, skip }) => {
    const isSecondTry = brokenAt === task.id;
    if (brokenAt !== undefined && !isSecondTry) skip('an earlier part of the story failed');
    brokenAt = undefined;
    onTestFailed(() => void (brokenAt = task.id));
    return { isSecondTry };
  };
}
