import { Button, type ButtonProps } from 'antd';
import { useConfirm } from '../../ui/use-confirm.ts';
import type { QuestionProps } from '../../ui/dialog/question.tsx';
import { useMutationToast } from './use-mutation-toast.ts';

type ConfirmedButtonProps = Omit<ButtonProps, 'loading' | 'onClick'> & {
  question: Omit<QuestionProps, 'onConfirm'>;
  /** Called when the user has confirmed. */
  run: () => Promise<unknown>;
  isRunning: boolean;
  /** Shown after success. */
  done: string;
};

/** A button that asks before it does something, and shows the outcome. It is named like the answer of its question. */
export function ConfirmedButton({ question, run, isRunning, done, ...button }: ConfirmedButtonProps) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  return (
    <Button
      {...button}
      loading={isRunning}
      onClick={() => confirm({ ...question, onConfirm: () => toastOutcome(run(), done) })}
    >
      {button.children ?? question.confirm}
    </Button>
  );
}
