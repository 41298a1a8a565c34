import { PoweroffOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { errorText } from '../../../api/index.ts';
import { appPath, paths } from '../../../routing/paths.ts';
import { takeWakeIntent } from '../../../routing/wake-intent.ts';
import { appKindWords } from '../../../text/cloud-apps/cloud-apps.ts';
import { wakingText } from '../../../text/cloud-apps/waking.ts';
import { Mono } from '../../../ui/mono.tsx';
import { isCancelled } from '../../confirm/is-cancelled.ts';
import type { HostPhase } from './host-phase.ts';
import { useHost } from './use-host.ts';
import { WakeRecords } from './wake-records.tsx';
import { WakeSchedule } from './wake-schedule.tsx';
import styles from './waking.module.css';

/** Whether the host is on, and the way to wake it. An app is opened as soon as it answers, if the user has asked for that. */
export function WakeCard({ app }: { app: CloudApp }) {
  const isOnlyWoken = app.kind === 'wol';
  const [isWanted, setIsWanted] = useState(false);
  const { query, wake, phase } = useHost(app, { isWanted });
  const { mutate } = wake;
  const hasMac = app.options.mac !== '';

  function start() {
    setIsWanted(!isOnlyWoken);
    mutate();
  }
  useIntent(app, start);
  useOpening(app, isWanted && phase.type === 'on');

  return (
    <section className={styles.card} aria-label={wakingText.titleOf(app.name)}>
      <span className={`${styles.sign} ${styles[toneOf(phase)]}`} aria-hidden>
        <PoweroffOutlined />
      </span>
      <h1 className={styles.title}>
        <bdi>{app.name}</bdi>
      </h1>
      <p className={styles.facts}>
        {appKindWords[app.kind]} · <bdi>{wakingText.onDevice(app.router_name)}</bdi>
        <br />
        <Mono>{app.host}</Mono>
        {hasMac && (
          <>
            {' '}
            · <Mono>{app.options.mac}</Mono>
          </>
        )}
      </p>
      <p className={`${styles.state} ${styles[toneOf(phase)]}`} role="status">
        {stateText(phase)}
      </p>
      {isWanted && (phase.type === 'waking' || phase.type === 'not-ready') && (
        <p className={styles.facts}>{wakingText.opens}</p>
      )}
      <Problems {...{ app, phase, query, wake }} />
      <div className={styles.actions}>
        <Buttons {...{ app, phase, isWaking: wake.isPending, onWake: start }} />
      </div>
      {isOnlyWoken && <WakeSchedule app={app} />}
      <WakeRecords app={app} />
      <p className={styles.foot}>
        <Link to={paths.devices}>{wakingText.toDevices}</Link>
      </p>
    </section>
  );
}

/** Wakes the host at once if the user has asked for that where this page was opened from. */
function useIntent(app: CloudApp, start: () => void): void {
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current) return;
    isTaken.current = true;
    if (takeWakeIntent(app.id)) start();
  });
}

function useOpening(app: CloudApp, isDue: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (isDue) void navigate(appPath(app.id), { replace: true });
  }, [isDue, navigate, app.id]);
}

type Host = ReturnType<typeof useHost>;

function Problems({ app, phase, query, wake }: { app: CloudApp; phase: HostPhase } & Pick<Host, 'query' | 'wake'>) {
  const className = styles.problem ?? '';
  return (
    <>
      {app.options.mac === '' && <Alert type="info" showIcon className={className} title={wakingText.noMac} />}
      {wake.error && (
        <Alert
          type="error"
          showIcon
          className={className}
          title={wakingText.wakeFailed}
          description={isCancelled(wake.error) ? wakingText.confirmNeeded : errorText(wake.error)}
        />
      )}
      {query.error && (
        <Alert
          type="warning"
          showIcon
          className={className}
          title={errorText(query.error)}
          action={
            <Button size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
              {wakingText.checkAgain}
            </Button>
          }
        />
      )}
      {phase.type === 'late' && (
        <Alert
          type="warning"
          showIcon
          className={className}
          title={wakingText.lateTitle}
          description={
            <>
              {wakingText.late}
              <ul className={styles.checks}>
                {wakingText.lateChecks.map((check) => (
                  <li key={check}>{check}</li>
                ))}
              </ul>
            </>
          }
        />
      )}
    </>
  );
}

type ButtonsProps = { app: CloudApp; phase: HostPhase; isWaking: boolean; onWake: () => void };

function Buttons({ app, phase, isWaking, onWake }: ButtonsProps) {
  const navigate = useNavigate();
  const canOpen = app.kind !== 'wol';
  const open = () => void navigate(appPath(app.id), { replace: true });
  const isOn = phase.type === 'on' || phase.type === 'not-ready';
  const hasBeenWoken = phase.type === 'waking' || phase.type === 'late';
  const wakeWord = canOpen ? wakingText.wakeAndOpen : wakingText.wake;
  return (
    <>
      {canOpen && isOn && (
        <Button type="primary" size="large" onClick={open}>
          {phase.type === 'on' ? wakingText.open : wakingText.openAnyway}
        </Button>
      )}
      {app.options.mac !== '' && !(canOpen && isOn) && (
        <Button
          type={isOn || phase.type === 'waking' ? 'default' : 'primary'}
          size="large"
          loading={isWaking}
          disabled={!app.enabled}
          onClick={onWake}
        >
          {hasBeenWoken ? wakingText.wakeAgain : wakeWord}
        </Button>
      )}
    </>
  );
}

function toneOf({ type }: HostPhase): 'good' | 'busy' | 'bad' | 'muted' {
  if (type === 'on' || type === 'not-ready') return 'good';
  if (type === 'waking') return 'busy';
  return type === 'late' ? 'bad' : 'muted';
}

function stateText(phase: HostPhase): string {
  switch (phase.type) {
    case 'on':
      return wakingText.on;
    case 'not-ready':
      return wakingText.notReady;
    case 'waking':
      return wakingText.waking(phase.seconds);
    case 'off':
    case 'late':
      return wakingText.off;
    case 'asking':
      return wakingText.asking;
    case 'unknown':
      return wakingText.unknown;
  }
}
