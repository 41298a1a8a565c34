import { CheckCircleFilled } from '@ant-design/icons';
import { Button } from 'antd';
import type { FirstSteps } from '@tongtu/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { paths, withQuery } from '../../../routing/paths.ts';
import { firstStepsText } from '../../../text/devices/first-steps.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import styles from './first-steps.module.css';
import { BackupDialog, DomainDialog } from './step-dialogs.tsx';
import { useNoteFirstSteps } from './use-first-steps.ts';

type Step = {
  name: 'password' | 'secondFactor' | 'alert' | 'domain' | 'backup';
  isDone: boolean;
  /** Opens a section of the account's screen, or a dialog. */
  place: { section: string } | { dialog: 'domain' | 'backup' };
};

function stepsOf(steps: FirstSteps): Step[] {
  return [
    { name: 'password', isDone: steps.password, place: { section: 'sign-in-methods' } },
    { name: 'secondFactor', isDone: steps.second_factor, place: { section: 'second-factor' } },
    { name: 'alert', isDone: steps.alert, place: { section: 'alerts' } },
    { name: 'domain', isDone: steps.domain, place: { dialog: 'domain' } },
    { name: 'backup', isDone: steps.backup, place: { dialog: 'backup' } },
  ];
}

/**
 * The first administrator's tasks. The server notices what is done, except for the backup, which the user marks as
 * done.
 */
export function FirstStepsCard({ steps }: { steps: FirstSteps }) {
  const [dialog, setDialog] = useState<'domain' | 'backup'>();
  const confirm = useConfirm();
  const toastFailure = useFailureToast();
  const note = useNoteFirstSteps();
  const all = stepsOf(steps);

  function dismiss() {
    confirm({
      title: firstStepsText.dismissTitle,
      text: firstStepsText.dismissText,
      confirm: firstStepsText.dismiss,
      canBeUndone: true,
      onConfirm: () => note.mutate({ is_shown: false }, { onError: toastFailure }),
    });
  }
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 id="first-steps" className={styles.title}>
          {firstStepsText.title}
        </h2>
        <span className={styles.progress}>
          {firstStepsText.progress(all.filter(({ isDone }) => isDone).length, all.length)}
        </span>
        <Button type="text" size="small" className={styles.dismiss ?? ''} onClick={dismiss}>
          {firstStepsText.dismiss}
        </Button>
      </div>
      <ol className={styles.steps}>
        {all.map((step) => (
          <StepRow key={step.name} step={step} onOpen={setDialog} />
        ))}
      </ol>
      {dialog === 'domain' && <DomainDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'backup' && (
        <BackupDialog
          isMarking={note.isPending}
          onMark={() => note.mutate({ backup: true }, { onError: toastFailure, onSettled: () => setDialog(undefined) })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  );
}

type StepRowProps = { step: Step; onOpen: (dialog: 'domain' | 'backup') => void };

function StepRow({ step, onOpen }: StepRowProps) {
  const { title, text, action } = firstStepsText[step.name];
  const { place, isDone } = step;
  return (
    <li className={isDone ? styles.done : styles.step}>
      <span className={styles.mark} role="img" aria-label={isDone ? firstStepsText.done : firstStepsText.todo}>
        {isDone && <CheckCircleFilled />}
      </span>
      <span className={styles.about}>
        <strong>{title}</strong>
        {!isDone && <span>{text}</span>}
      </span>
      {!isDone &&
        ('section' in place ? (
          <Link to={withQuery(paths.userInfo, { section: place.section })}>{action}</Link>
        ) : (
          <Button type="link" className={styles.action ?? ''} onClick={() => onOpen(place.dialog)}>
            {action}
          </Button>
        ))}
    </li>
  );
}
