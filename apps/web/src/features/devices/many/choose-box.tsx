import { Checkbox } from 'antd';
import type { Device } from '@tongtu/contract';
import { manyDevicesText } from '../../../text/devices/many-devices.ts';
import styles from './many.module.css';
import type { Choice } from './use-choice.ts';

export type ChooseBoxProps = { device: Device; choice: Choice; shownIds: readonly number[] };

/** Chooses a device of the list; with Shift all from the last chosen one on. */
export function ChooseBox({ device, choice, shownIds }: ChooseBoxProps) {
  return (
    <Checkbox
      className={styles.check ?? ''}
      aria-label={manyDevicesText.chooseOne(device.name)}
      checked={choice.ids?.has(device.id) === true}
      onChange={({ target, nativeEvent }) =>
        choice.choose(
          device.id,
          { isChosen: target.checked, isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey },
          shownIds,
        )
      }
    />
  );
}
