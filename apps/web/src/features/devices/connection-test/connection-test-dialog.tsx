import { MinusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Steps } from 'antd';
import type { ConnectionCheck, Device, Mapping, MappingFix } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { errorCode, errorText, useApi } from '../../../api/index.ts';
import { testText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { useLasting } from '../../../ui/time/use-lasting.ts';
import styles from '../devices.module.css';
import { shownName } from '../mapping-address.ts';
import { useUpdateMapping } from '../use-devices.ts';
import { connectionSteps, stepStatuses, type StepStatus } from './connection-steps.ts';
import { VisitComparison, VisitRemedy } from './visit-comparison.tsx';

const dialogWidthPx = 480;
/** The look-ups, the probe and all visits, each with a limit of its own, end within that. */
const checkTimeoutMs = 30_000;
/** Most tests end within that. */
const usualMs = 6_000;
/** A test whose dialog was closed goes on for some seconds, and a device has one at a time. */
const maxWaits = 8;
const waitMs = 3_000;

const isBusy = (error: unknown) => errorCode(error) === 'device.busy';

function useConnectionCheck(device: Device, mapping: Mapping) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['connection-check', mapping.id],
    queryFn: ({ signal }) =>
      call('POST /api/user/routers/{id}/check_domain_connection/', {
        params: { id: device.id },
        body: { record: mapping.id },
        signal,
        timeoutMs: checkTimeoutMs,
      }),
    retry: (count, error) => isBusy(error) && count < maxWaits,
    retryDelay: waitMs,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

const subTitles: Partial<Record<StepStatus, string>> = { skipped: testText.notNeeded, wait: testText.notReached };

/** A step that was not tested has neither a number nor a tick. */
function iconOf(status: StepStatus) {
  if (status === 'skipped') return { icon: <MinusOutlined /> };
  return status === 'wait' ? { icon: <span className={styles.testDot} /> } : {};
}

function StepList({ mapping, check }: { mapping: Mapping; check: ConnectionCheck | undefined }) {
  return (
    <Steps
      orientation="vertical"
      size="small"
      current={connectionSteps[mapping.kind].length}
      items={stepStatuses(mapping.kind, check).map(({ step, status }) => ({
        key: step,
        title: testText.steps[step],
        status: status === 'skipped' ? 'wait' : status,
        ...iconOf(status),
        ...(check && subTitles[status] !== undefined ? { subTitle: subTitles[status] } : {}),
        ...(status === 'error' && check && step !== 'visit' ? { content: check.hint } : {}),
      }))}
    />
  );
}

type VerdictProps = { check: ConnectionCheck | undefined; error: unknown; running: string; remedy: ReactNode };

function Verdict({ check, error, running, remedy }: VerdictProps) {
  if (error) return <Alert type="error" showIcon title={errorText(error)} />;
  if (!check) return <Alert type="info" showIcon title={running} />;
  if (check.ok) return <Alert type="success" showIcon title={check.hint} description={testText.elapsed(check.ms)} />;
  const title = check.step === 'visit' ? check.hint : testText.failedAt(testText.steps[check.step]);
  return <Alert type="error" showIcon title={title} description={remedy} />;
}

type ConnectionTestDialogProps = { device: Device; mapping: Mapping; onClose: () => void };

/** Tests each step of a visitor's request and shows the one that fails. */
export function ConnectionTestDialog({ device, mapping, onClose }: ConnectionTestDialogProps) {
  const { data, error, failureReason, isFetching, refetch } = useConnectionCheck(device, mapping);
  const isWaiting = isFetching && failureReason !== null;
  const isLate = useLasting(isFetching && !isWaiting, usualMs);
  const running = isLate ? testText.stillRunning : testText.running;
  const update = useUpdateMapping();
  const check = isFetching || error ? undefined : data;
  const shown = update.data ?? mapping;

  function fix(changes: MappingFix) {
    update.mutate({ id: mapping.id, patch: changes }, { onSuccess: () => void refetch() });
  }
  return (
    <Dialog
      title={testText.title}
      width={dialogWidthPx}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{sharedText.close}</Button>
          <Button type="primary" loading={isFetching} onClick={() => void refetch()}>
            {testText.again}
          </Button>
        </>
      }
    >
      <p className={styles.testRoute}>
        <Mono>{shownName(mapping)}</Mono> → <Mono>{shown.target}</Mono>
      </p>
      <div aria-live="polite" className={styles.testVerdict}>
        <Verdict
          check={check}
          error={isFetching ? undefined : error}
          running={isWaiting ? testText.waiting : running}
          remedy={
            check?.visit && (
              <VisitRemedy visit={check.visit} isFixing={update.isPending} error={update.error} onFix={fix} />
            )
          }
        />
        {check && check.warning !== null && <Alert type="warning" showIcon title={check.warning} />}
      </div>
      {check?.visit && <VisitComparison visit={check.visit} />}
      {(isFetching || check) && <StepList mapping={shown} check={check} />}
    </Dialog>
  );
}
