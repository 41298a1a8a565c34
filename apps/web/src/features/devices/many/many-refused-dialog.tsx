import { manyDevicesText } from '../../../text/devices/many-devices.ts';
import { plainName } from '../../../text/devices/names.ts';
import { Button } from 'antd';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import styles from './many.module.css';
import type { ManyOutcome } from './use-many-devices.ts';

/** Names each device that a change of several has left as it was, with the reason. */
export function ManyRefusedDialog({ outcome, onClose }: { outcome: ManyOutcome; onClose: () => void }) {
  return (
    <Dialog
      title={manyDevicesText.refusedTitle}
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {manyDevicesText.close}
        </Button>
      }
    >
      <p>{manyDevicesText.refusedText(outcome.done, outcome.refused.length)}</p>
      <ul className={styles.deleted}>
        {outcome.refused.map(({ id, name, detail }) => (
          <li key={id}>
            <bdi>{plainName(name)}</bdi>：{detail}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
