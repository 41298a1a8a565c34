import { MoreOutlined, PoweroffOutlined, RadarChartOutlined } from '@ant-design/icons';
import { Alert, Button, Progress } from 'antd';
import type { CloudApp, Device, Lan } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { lanText } from '../../../text/devices/lan.ts';
import { MenuButton } from '../../../ui/menu/menu-button.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { DeviceSkeleton } from '../device-skeleton.tsx';
import deviceStyles from '../devices.module.css';
import { UpgradeButton } from '../upgrade-agent/agent-version.tsx';
import { HostList } from './host-list.tsx';
import styles from './lan.module.css';
import { isScanning, useLan, useStartScan, useSwitchDiscovery } from './use-lan.ts';

export type DeviceLanProps = {
  device: Device;
  devices: readonly Device[];
  apps: readonly CloudApp[];
  back: ReactNode;
  headClassName: string;
  onOpen: (dialog: DeviceDialog) => void;
};

export function DeviceLan(props: DeviceLanProps) {
  const { device, back, headClassName } = props;
  const query = useLan(device.id);
  const { data: lan, error } = query;
  return (
    <>
      <div className={`${deviceStyles.pageHead} ${styles.top}`}>
        <div className={headClassName}>
          {back}
          <h1>{lanText.title(device.name)}</h1>
        </div>
        {lan?.enabled === true && (
          <span className={deviceStyles.pageActions}>
            {lan.scan !== null && <ScanButton device={device} lan={lan} />}
            <LanMenu device={device} />
          </span>
        )}
      </div>
      {error && lan === undefined && <LoadFailure title={lanText.failed} text={errorText(error)} query={query} />}
      {!error && lan === undefined && <DeviceSkeleton />}
      {lan !== undefined && <LanContent {...props} lan={lan} />}
    </>
  );
}

function LanContent(props: DeviceLanProps & { lan: Lan }) {
  const { device, lan } = props;
  if (!lan.enabled) {
    return (
      <section className={deviceStyles.panel}>
        <EmptyState title={lanText.off} text={lanText.offHint} action={<SwitchOn device={device} />} />
      </section>
    );
  }
  if (lan.scan === null) {
    return (
      <section className={deviceStyles.panel}>
        <EmptyState
          title={lanText.never}
          text={device.online ? lanText.neverHint : `${lanText.neverHint}${lanText.offline}`}
          action={<ScanButton device={device} lan={lan} />}
        />
      </section>
    );
  }
  const isNothing = lan.hosts.length === 0 && lan.scan.result === 'done';
  return (
    <>
      <ScanState {...props} />
      {isNothing && (
        <section className={deviceStyles.panel}>
          <EmptyState title={lanText.nothing} text={lanText.nothingHint} />
        </section>
      )}
      {lan.hosts.length > 0 && <HostList {...props} />}
    </>
  );
}

/** How the scan goes on, or why it has not found everything. */
function ScanState({ device, lan, onOpen }: DeviceLanProps & { lan: Lan }) {
  const { scan } = lan;
  if (scan === null) return null;
  if (isScanning(lan)) {
    return (
      <section className={`${deviceStyles.panel} ${styles.progress}`} role="status">
        {lanText.scanning}
        <Progress percent={scan.percent} aria-label={lanText.scanning} />
        <span className={styles.hint}>{lanText.scanningHint}</span>
      </section>
    );
  }
  if (scan.result === null || scan.result === 'done') return null;
  const { title, text } = lanText.results[scan.result];
  return (
    <Alert
      type={scan.result === 'partial' ? 'info' : 'warning'}
      showIcon
      title={title}
      description={text}
      {...(scan.result === 'outdated' && { action: <UpgradeButton device={device} onOpen={onOpen} /> })}
    />
  );
}

function ScanButton({ device, lan }: { device: Device; lan: Lan }) {
  const toastFailure = useFailureToast();
  const start = useStartScan(device.id);
  const isRunning = isScanning(lan) || start.isPending;
  return (
    <Button
      type="primary"
      icon={<RadarChartOutlined aria-hidden />}
      loading={isRunning}
      disabled={!device.online}
      title={device.online ? undefined : lanText.offline}
      onClick={() => void start.mutateAsync(undefined).catch(toastFailure)}
    >
      {lan.scan === null ? lanText.scan : lanText.scanAgain}
    </Button>
  );
}

function SwitchOn({ device }: { device: Device }) {
  const toastOutcome = useMutationToast();
  const switchTo = useSwitchDiscovery(device.id);
  return (
    <Button
      type="primary"
      loading={switchTo.isPending}
      onClick={() => toastOutcome(switchTo.mutateAsync(true), lanText.switchedOn)}
    >
      {lanText.switchOn}
    </Button>
  );
}

function LanMenu({ device }: { device: Device }) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const switchTo = useSwitchDiscovery(device.id);
  const confirmOff = () =>
    confirm({
      title: lanText.switchOffTitle(device.name),
      text: lanText.switchOffText,
      confirm: lanText.switchOff,
      onConfirm: () => toastOutcome(switchTo.mutateAsync(false), lanText.switchedOff),
    });
  return (
    <MenuButton
      entries={[{ key: 'off', icon: <PoweroffOutlined />, label: lanText.switchOff, onSelect: confirmOff }]}
      icon={<MoreOutlined />}
      loading={switchTo.isPending}
      aria-label={lanText.more}
      title={lanText.more}
    />
  );
}
