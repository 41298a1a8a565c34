import { createContext, type ReactNode, useCallback, useState } from 'react';
import { Question, type QuestionProps } from './question.tsx';

/** Shows a question. Returns the function that withdraws it. */
type Ask = (question: QuestionProps) => () => void;

export const AskContext = createContext<Ask | undefined>(undefined);

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
