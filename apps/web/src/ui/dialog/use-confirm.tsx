import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { Question, type QuestionProps } from './question.tsx';

/** Shows a question. Returns the function that withdraws it. */
type Ask = (question: QuestionProps) => () => void;

const AskContext = createContext<Ask | undefined>(undefined);

/** Shows the questions of `useConfirm`, one at a time. */
export function QuestionProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<QuestionProps>();
  const ask = useCallback<Ask>((question) => {
    setAsked(question);
    return () => setAsked((current) => (current === question ? undefined : current));
  }, []);
  return (
    <AskContext value={ask}>
      {children}
      {asked && <Question {...asked} onClose={() => setAsked(undefined)} />}
    </AskContext>
  );
}

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
