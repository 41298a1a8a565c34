import { CheckCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { problemTexts, type ProblemKind, wizardText } from '../../../text/devices/add-device.ts';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { frpcText } from '../../../text/devices/frpc.ts';
import { quoted } from '../../../text/devices/names.ts';
import { useRenewKeyToPaste } from '../../enrolment-keys/use-enrolment-keys.ts';
import styles from './add-device.module.css';
import { adviceOf } from './advice.ts';
import type { Shown } from './boxes.ts';
import { useDeviceAttempts } from './use-device-attempts.ts';

/** Installing takes less, also where Node.js is downloaded. */
const LATE_AFTER_MS = 120_000;
/** Another line helps against these. */
const ofLine: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['key_used', 'key_expired', 'token_invalid']);

type WaitingProps = {
  shown: Shown & { atMs: number };
  /** A device that was added before and has just come back. */
  returned: Device | undefined;
  lateAfterMs?: number;
};

/** Waits for the device, and says what is wrong as far as the server has seen it. */
export function Waiting({ shown, returned, lateAfterMs = LATE_AFTER_MS }: WaitingProps) {
  const attempts = useDeviceAttempts(shown.atMs, true);
  const isLate = useIsLate(shown.atMs, lateAfterMs);
  const { problems, step } = adviceOf(attempts.data ?? [], shown.program);
  const hint = (shown.program === 'agent' ? addDeviceText : frpcText).waitingHint;
  return (
    <>
      <div className={styles.wait} aria-live="polite">
        <LoadingOutlined aria-hidden />
        <div>
          <strong>{step === undefined || problems.length > 0 ? wizardText.waiting : wizardText.steps[step]}</strong>
          <p>{returned ? wizardText.returned(quoted(returned.name)) : hint}</p>
        </div>
      </div>
      {problems.map((kind) => (
        <Problem key={kind} kind={kind} />
      ))}
      {isLate && problems.length === 0 && <Checks shown={shown} step={step} />}
    </>
  );
}

function Problem({ kind }: { kind: ProblemKind }) {
  const renew = useRenewKeyToPaste();
  const { title, text } = problemTexts[kind];
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={title}
      description={text}
      className={styles.problem ?? ''}
      action={ofLine.has(kind) && <Button onClick={renew}>{wizardText.renew}</Button>}
    />
  );
}

/** What may be wrong when the server knows no reason. */
function Checks({ shown, step }: { shown: Shown; step: 'script' | 'agent' | undefined }) {
  const { checks } = wizardText;
  const { address, program } = shown;
  const host = address.slice(0, address.lastIndexOf(':'));
  const list = [program === 'agent' ? checks.ran : checks.frpcRan, checks.dns(host), checks.port(address)];
  const steps = { script: checks.script, agent: checks.agent(address) };
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      title={wizardText.late}
      className={styles.problem ?? ''}
      description={
        step === undefined ? (
          <>
            {checks.nothing}
            <ul className={styles.checks}>
              {list.map((check) => (
                <li key={check}>{check}</li>
              ))}
            </ul>
            {wizardText.otherNetwork}
          </>
        ) : (
          steps[step]
        )
      }
    />
  );
}

export function Arrived({ device }: { device: Device }) {
  return (
    <div className={`${styles.wait} ${styles.done}`} aria-live="polite">
      <CheckCircleFilled aria-hidden />
      <div>
        <strong>{addDeviceText.arrived(device.name)}</strong>
        <p>{addDeviceText.arrivedHint}</p>
      </div>
    </div>
  );
}

function useIsLate(sinceMs: number, lateAfterMs: number): boolean {
  const [lateSinceMs, setLateSinceMs] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setLateSinceMs(sinceMs), Math.max(sinceMs + lateAfterMs - performance.now(), 0));
    return () => clearTimeout(timer);
  }, [sinceMs, lateAfterMs]);
  return lateSinceMs === sinceMs;
}
