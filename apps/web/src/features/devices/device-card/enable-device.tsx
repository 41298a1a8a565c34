import { PlayCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { devicesText } from '../../../text/devices/devices.ts';
import { useChangeDevice } from './use-change-device.ts';

/** A button on the card of a disabled device, so that users need not find it in the menu. */
export function EnableDevice({ device }: { device: Device }) {
  const { change, isChanging } = useChangeDevice(device);
  return (
    <Button
      size="small"
      icon={<PlayCircleOutlined aria-hidden />}
      loading={isChanging}
      aria-label={`${devicesText.enableShort} ${device.name}`}
      onClick={() => void change({ enabled: true }, devicesText.enabledAgain)}
    >
      {devicesText.enableShort}
    </Button>
  );
}
