import { Checkbox } from 'antd';
import type { Device } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { manyDevicesText } from '../../../text/devices/many-devices.ts';
import styles from './many.module.css';
import type { Choice } from './use-choice.ts';

type ChoosableProps = { device: Device; choice: Choice; shownIds: readonly number[]; children: ReactNode };

/** A device of the list, with a checkbox while the user chooses devices. */
export function Choosable({ device, choice, shownIds, children }: ChoosableProps) {
  if (choice.ids === undefined) return children;
  return (
    <div className={styles.choosable}>
      <Checkbox
        className={styles.check ?? ''}
        aria-label={manyDevicesText.chooseOne(device.name)}
        checked={choice.ids.has(device.id)}
        onChange={({ target, nativeEvent }) =>
          choice.choose(
            device.id,
            { isChosen: target.checked, isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey },
            shownIds,
          )
        }
      />
      {children}
    </div>
  );
}
