import { Button, Checkbox } from 'antd';
import type { Device } from '@tongtu/contract';
import { groupsText, manyDevicesText } from '../../../text/devices/many-devices.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import type { Choice } from './use-choice.ts';
import { useUpdateDevices } from './use-many-devices.ts';
import styles from './many.module.css';

type ManyBarProps = {
  devices: readonly Device[];
  shownIds: readonly number[];
  choice: Choice;
  onOpen: (dialog: DeviceDialog) => void;
};

/** What can be done with the chosen devices. It stays in sight at the bottom. */
export function ManyBar({ devices, shownIds, choice, onOpen }: ManyBarProps) {
  const confirm = useConfirm();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const update = useUpdateDevices();
  const chosen = devices.filter(({ id }) => choice.ids?.has(id));
  const shownCount = shownIds.filter((id) => choice.ids?.has(id)).length;
  const hasAllShown = shownCount === shownIds.length && shownCount > 0;

  async function setEnabled(enabled: boolean) {
    try {
      const outcome = await update.mutateAsync({ devices: chosen, patch: { enabled } });
      if (outcome.refused.length > 0) onOpen({ type: 'many-refused', outcome });
      else toast.success((enabled ? manyDevicesText.enabled : manyDevicesText.disabled)(outcome.done));
    } catch (error) {
      toastFailure(error);
    }
  }

  const some = { disabled: chosen.length === 0 || update.isPending };
  return (
    <section className={styles.bar} aria-label={manyDevicesText.bar}>
      <Checkbox
        checked={hasAllShown}
        indeterminate={shownCount > 0 && !hasAllShown}
        onChange={() => choice.chooseAll(shownIds, !hasAllShown)}
      >
        {hasAllShown ? manyDevicesText.chooseNone : manyDevicesText.chooseShown}
      </Checkbox>
      <span role="status" className={styles.chosenCount} title={manyDevicesText.hint}>
        {manyDevicesText.chosen(chosen.length)}
        {chosen.length > shownCount && `，${manyDevicesText.hidden(chosen.length - shownCount)}`}
      </span>
      <span className={styles.barActions}>
        <Button {...some} onClick={() => void setEnabled(true)}>
          {manyDevicesText.enable}
        </Button>
        <Button
          {...some}
          onClick={() =>
            confirm({
              title: manyDevicesText.disableTitle(chosen.length),
              text: manyDevicesText.disableText,
              confirm: manyDevicesText.disable,
              canBeUndone: true,
              onConfirm: () => void setEnabled(false),
            })
          }
        >
          {manyDevicesText.disable}
        </Button>
        <Button {...some} onClick={() => onOpen({ type: 'move-devices', devices: chosen })}>
          {groupsText.move}
        </Button>
        <Button {...some} danger onClick={() => onOpen({ type: 'delete-devices', devices: chosen })}>
          {manyDevicesText.remove}
        </Button>
        <Button type="primary" onClick={choice.stop}>
          {manyDevicesText.stop}
        </Button>
      </span>
    </section>
  );
}
