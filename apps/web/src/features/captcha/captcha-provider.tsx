import type { CaptchaPurpose } from '@tongtu/contract';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { AskContext } from './use-captcha.tsx';

const CaptchaDialog = lazy(async () => ({ default: (await import('./captcha-dialog.tsx')).CaptchaDialog }));

type Question = { id: number; purpose: CaptchaPurpose; answer: (ticket: string | undefined) => void };

/** The one place where captchas are shown; whoever needs one asks by `useCaptcha`. */
export function CaptchaProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();

  const ask = useCallback(
    (purpose: CaptchaPurpose) =>
      new Promise<string | undefined>((resolve) => {
        setQuestion((former) => {
          former?.answer(undefined);
          return { id: (former?.id ?? 0) + 1, purpose, answer: resolve };
        });
      }),
    [],
  );
  function finish(ticket: string | undefined) {
    question?.answer(ticket);
    setQuestion(undefined);
  }

  return (
    <AskContext value={ask}>
      {children}
      {question && (
        <Suspense>
          <CaptchaDialog key={question.id} purpose={question.purpose} onDone={finish} />
        </Suspense>
      )}
    </AskContext>
  );
}
