import { CheckCircleFilled, ClockCircleOutlined, LoadingOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { errorText, useSiteConfig } from '../../../api/index.ts';
import { isLoopbackHost, reachableOrigin } from '../../../address/public-address.ts';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { upgradeAgentText } from '../../../text/devices/upgrade-agent.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import styles from '../add-device/add-device.module.css';
import { UpgradeSeveral } from './upgrade-several.tsx';
import { useUpgradeAgent } from './use-upgrade-agent.ts';
import { downloadCommand, upgradeCommand } from '../../enrolment-keys/install-commands.ts';

const dialogWidthPx = 620;

type UpgradeAgentDialogProps = { device: Device; devices: readonly Device[]; onClose: () => void };

/** Shows the command that upgrades the agent. It needs no token, because the device is enrolled already. */
export function UpgradeAgentDialog({ device, devices, onClose }: UpgradeAgentDialogProps) {
  const consoleUrl = useSiteConfig()?.console_url;
  const origin = reachableOrigin(window.location.href, consoleUrl);
  const [before] = useState({ running: device.agent_version, available: device.agent_upgrade ?? '' });
  const upgrade = useUpgradeAgent(device.id);
  const isDone = device.agent_upgrade === null;
  const [hasLeft, setHasLeft] = useState(false);
  if (upgrade.isSuccess && !device.online && !hasLeft) setHasLeft(true);
  const isRolledBack = upgrade.isSuccess && hasLeft && device.online && !isDone;
  const isUpgrading = upgrade.isSuccess && !isRolledBack;

  function start() {
    setHasLeft(false);
    upgrade.mutate(undefined);
  }

  const hasShell = device.platform.startsWith('linux');
  const command = hasShell ? upgradeCommand({ origin }) : downloadCommand({ origin });
  return (
    <Dialog
      title={upgradeAgentText.title(device.name)}
      width={dialogWidthPx}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      {isLoopbackHost(new URL(origin).hostname) && (
        <Alert type="warning" showIcon title={addDeviceText.loopback} className={lines.loopback ?? ''} />
      )}
      <p className={lines.hint}>{upgradeAgentText.versions(before.running, before.available)}</p>
      <p>
        <Button
          type="primary"
          loading={upgrade.isPending}
          disabled={!device.online || isDone || isUpgrading}
          onClick={start}
        >
          {upgradeAgentText.button}
        </Button>
      </p>
      {isUpgrading && !isDone && (
        <Alert type="info" showIcon title={upgradeAgentText.started} className={lines.outcome ?? ''} />
      )}
      {isRolledBack && (
        <Alert
          type="warning"
          showIcon
          title={upgradeAgentText.rolledBack(device.agent_version)}
          className={lines.outcome ?? ''}
        />
      )}
      {upgrade.isError && (
        <Alert type="warning" showIcon title={errorText(upgrade.error)} className={lines.outcome ?? ''} />
      )}
      <p className={lines.hint}>
        <strong>{upgradeAgentText.byHand}</strong>：{hasShell ? upgradeAgentText.install : upgradeAgentText.manual}
      </p>
      <div className={lines.command}>
        <pre>{command}</pre>
        <CopyButton text={command} label={upgradeAgentText.command} type="default" size="middle">
          {addDeviceText.copy}
        </CopyButton>
      </div>
      {hasShell && (
        <p className={lines.note}>
          {upgradeAgentText.folder} <code>{upgradeAgentText.folderOption}</code>
        </p>
      )}
      <div className={`${styles.wait} ${isDone ? styles.done : ''}`} aria-live="polite">
        <StateIcon isDone={isDone} isUpgrading={isUpgrading} />
        <strong>{isDone ? upgradeAgentText.done(device.agent_version) : upgradeAgentText.waiting}</strong>
      </div>
      <UpgradeSeveral devices={devices} />
    </Dialog>
  );
}

function StateIcon({ isDone, isUpgrading }: { isDone: boolean; isUpgrading: boolean }) {
  if (isDone) return <CheckCircleFilled aria-hidden />;
  // Before, nothing has begun.
  return isUpgrading ? <LoadingOutlined aria-hidden /> : <ClockCircleOutlined aria-hidden />;
}
