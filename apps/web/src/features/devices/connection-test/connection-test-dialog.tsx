import { MinusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Steps } from 'antd';
import type { ConnectionCheck, Device, Mapping } from '@tongtu/contract';
import { errorText, useApi } from '../../../api/index.ts';
import { testText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import styles from '../devices.module.css';
import { shownName } from '../mapping-address.ts';
import { connectionSteps, stepStatuses, type StepStatus } from './connection-steps.ts';

const dialogWidthPx = 480;
/** The server answers within 10 s. */
const checkTimeoutMs = 14_000;

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
    retry: false,
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
        ...(status === 'error' && check ? { content: check.hint } : {}),
      }))}
    />
  );
}

function Verdict({ check, error }: { check: ConnectionCheck | undefined; error: unknown }) {
  if (error) return <Alert type="error" showIcon title={errorText(error)} />;
  if (!check) return <Alert type="info" showIcon title={testText.running} />;
  if (check.ok) return <Alert type="success" showIcon title={check.hint} description={testText.elapsed(check.ms)} />;
  return <Alert type="error" showIcon title={testText.failedAt(testText.steps[check.step])} />;
}

type ConnectionTestDialogProps = { device: Device; mapping: Mapping; onClose: () => void };

/** Tests each step of a visitor's request and shows the one that fails. */
export function ConnectionTestDialog({ device, mapping, onClose }: ConnectionTestDialogProps) {
  const { data, error, isFetching, refetch } = useConnectionCheck(device, mapping);
  const check = isFetching || error ? undefined : data;
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
        <Mono>{shownName(mapping)}</Mono> → <Mono>{mapping.target}</Mono>
      </p>
      <div aria-live="polite" className={styles.testVerdict}>
        <Verdict check={check} error={isFetching ? undefined : error} />
        {check && check.warning !== null && <Alert type="warning" showIcon title={check.warning} />}
      </div>
      {(isFetching || check) && <StepList mapping={mapping} check={check} />}
    </Dialog>
  );
}
