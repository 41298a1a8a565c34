import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CloudApp, WakeTime } from '@tongtu/contract';
import { MAX_WAKE_TIMES } from '@tongtu/contract/limits';
import { useState } from 'react';
import { daysText, wakingText } from '../../../text/cloud-apps/waking.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { useChangeWakeTimes } from './use-host.ts';
import { WakeTimeDialog } from './wake-time-dialog.tsx';
import styles from './waking.module.css';

/** When the host is woken by itself. The owner changes it; members see it. */
export function WakeSchedule({ app }: { app: CloudApp }) {
  const [isAdding, setIsAdding] = useState(false);
  const { wake_times: times, is_own: isOwn } = app;
  return (
    <section className={styles.section}>
      <h2>{wakingText.schedule}</h2>
      {times.length === 0 ? (
        <p className={styles.empty}>{wakingText.noSchedule}</p>
      ) : (
        <ul className={styles.list}>
          {times.map((time) => (
            <li key={textOf(time)} className={styles.row}>
              <span>
                <strong>{time.at}</strong> {daysText(time.days)}
              </span>
              {isOwn && <RemoveButton app={app} time={time} />}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.empty}>{wakingText.scheduleHint}</p>
      {isOwn && times.length < MAX_WAKE_TIMES && (
        <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => setIsAdding(true)}>
          {wakingText.addTime}
        </Button>
      )}
      {isAdding && <WakeTimeDialog app={app} onClose={() => setIsAdding(false)} />}
    </section>
  );
}

function textOf({ at, days }: WakeTime): string {
  return `${at} ${daysText(days)}`;
}

function RemoveButton({ app, time }: { app: CloudApp; time: WakeTime }) {
  const change = useChangeWakeTimes(app.id);
  const toastOutcome = useMutationToast();
  const text = textOf(time);
  const remove = () => change.mutateAsync((times) => times.filter((other) => textOf(other) !== text));
  return (
    <Button
      type="text"
      size="small"
      icon={<DeleteOutlined aria-hidden />}
      loading={change.isPending}
      aria-label={wakingText.removeLabel(text)}
      title={wakingText.remove}
      onClick={() => toastOutcome(remove(), wakingText.removed)}
    />
  );
}
