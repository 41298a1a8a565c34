import { ArrowUpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { devicesText } from '../../../text/devices/devices.ts';
import type { DeviceDialog } from '../device-dialog.ts';

type UpgradeButtonProps = { device: Device; onOpen: (dialog: DeviceDialog) => void; isShort?: boolean };

/** A button that opens the instructions; nothing for an agent that is up to date. */
export function UpgradeButton({ device, onOpen, isShort = false }: UpgradeButtonProps) {
  if (device.agent_upgrade === null) return null;
  const words = devicesText.upgradeAgentTo(device.agent_upgrade);
  return (
    <Button
      size="small"
      type="link"
      icon={<ArrowUpOutlined />}
      aria-label={`${words} ${device.name}`}
      title={words}
      onClick={() => onOpen({ type: 'upgrade-agent', device })}
    >
      {isShort ? devicesText.upgradeAgentShort : words}
    </Button>
  );
}

/** The device's agent version, and whether there is a newer one. */
export function AgentVersion({ device, onOpen }: Omit<UpgradeButtonProps, 'isShort'>) {
  return (
    <>
      {device.agent_version === '' ? devicesText.unknown : device.agent_version}
      <UpgradeButton device={device} onOpen={onOpen} />
    </>
  );
}
