import { use, useCallback, useEffect, useRef } from 'react';
import type { QuestionProps } from './dialog/question.tsx';
import { AskContext } from './dialog/question-provider.tsx';

/**
 * Asks before an action. The dialog closes at once, so the caller shows the outcome elsewhere. It also closes, as
 * cancelled, when the component that asked is unmounted.
 */
export function useConfirm(): (question: QuestionProps) => void {
  const ask = use(AskContext);
  const withdraw = useRef<() => void>(undefined);
  useEffect(() => () => withdraw.current?.(), []);
  return useCallback(
    (question) => {
      if (!ask) throw new Error('useConfirm outside of QuestionProvider');
      withdraw.current = ask(question);
    },
    [ask],
  );
}
