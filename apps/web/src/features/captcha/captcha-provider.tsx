import type { CaptchaPurpose } from '@tongtu/contract';
import { type ReactNode, useCallback, useState } from 'react';
import { failImport } from '../../api/index.ts';
import { isPageLeft, type SolveCaptcha, type SolveOptions } from './create-captcha.ts';
import { SolveContext } from './use-captcha.tsx';

/** Loaded with the first captcha. A failed load is retried by the next one. */
type Load = () => Promise<typeof import('./captcha-dialog.tsx')>;
const loadDialog: Load = () => import('./captcha-dialog.tsx');
type Dialog = Awaited<ReturnType<Load>>['CaptchaDialog'];

type Question = {
  id: number;
  purpose: CaptchaPurpose;
  options: SolveOptions;
  Dialog: Dialog;
  answer: (ticket: string | undefined) => void;
};

type CaptchaProviderProps = { children: ReactNode; load?: Load };

/** Shows all captchas; other components request them through `useCaptcha`. */
export function CaptchaProvider({ children, load = loadDialog }: CaptchaProviderProps) {
  const [question, setQuestion] = useState<Question>();

  const ask = useCallback<SolveCaptcha>(
    async (purpose, options) => {
      // Not React.lazy: it stores a failure for good, and no error boundary is above this component.
      const { CaptchaDialog } = await load().catch(failImport);
      if (isPageLeft(options)) return undefined;
      return await new Promise<string | undefined>((resolve) => {
        setQuestion((former) => {
          former?.answer(undefined);
          return { id: (former?.id ?? 0) + 1, purpose, options, Dialog: CaptchaDialog, answer: resolve };
        });
      });
    },
    [load],
  );
  function finish(ticket: string | undefined) {
    question?.answer(ticket);
    // A late answer to a question that was closed does not close the next one.
    setQuestion((current) => (current === question ? undefined : current));
  }

  return (
    <SolveContext value={ask}>
      {children}
      {question && (
        <question.Dialog key={question.id} purpose={question.purpose} {...question.options} onDone={finish} />
      )}
    </SolveContext>
  );
}
