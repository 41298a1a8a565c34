import type { CaptchaPurpose } from '@tongtu/contract';
import { type ReactNode, useCallback, useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { type SolveCaptcha, SolveContext, type SolveOptions } from './use-captcha.tsx';

/** Fetched when the first captcha is asked for; a fetch that failed is tried again by the next one. */
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

/** The one place where captchas are shown; whoever needs one asks by `useCaptcha`. */
export function CaptchaProvider({ children, load = loadDialog }: CaptchaProviderProps) {
  const [question, setQuestion] = useState<Question>();

  const ask = useCallback<SolveCaptcha>(
    async (purpose, options = {}) => {
      // Not React.lazy: this stands above every error boundary, and what failed once would fail for good.
      const { CaptchaDialog } = await load().catch((cause: unknown) => {
        throw new ApiError({ type: 'network' }, { cause });
      });
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
    setQuestion(undefined);
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
