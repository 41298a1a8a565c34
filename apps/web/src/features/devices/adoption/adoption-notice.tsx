import { Alert, Button } from 'antd';
import type { Device } from '@tongtu/contract';
import { adoptionText, likenessTexts } from '../../../text/devices/adoption.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import styles from './adoption.module.css';
import { useSuggestions } from './use-adoption.ts';

type AdoptionNoticeProps = { devices: readonly Device[]; onOpen: (dialog: DeviceDialog) => void };

/** Offers to move a lost device's mappings to a new one that looks like it. One offer at a time. */
export function AdoptionNotice({ devices, onOpen }: AdoptionNoticeProps) {
  const { suggestions, dismiss } = useSuggestions(devices.length > 1 && devices.some(({ online }) => !online));
  const [suggestion] = suggestions;
  const lost = devices.find(({ id }) => id === suggestion?.lost);
  const added = devices.find(({ id }) => id === suggestion?.router);
  if (suggestion === undefined || lost === undefined || added === undefined) return null;
  const reasons = suggestion.reasons.map((reason) => likenessTexts[reason]).join('、');
  return (
    <Alert
      type="info"
      showIcon
      title={adoptionText.suggestionTitle(lost.name, added.name)}
      description={
        <>
          {adoptionText.suggestionText(reasons)}
          <span className={styles.actions}>
            <Button
              type="primary"
              size="small"
              onClick={() => onOpen({ type: 'adopt-device', device: lost, successorId: added.id })}
            >
              {adoptionText.suggestionAction}
            </Button>
            <Button size="small" onClick={() => dismiss(suggestion)}>
              {adoptionText.dismiss}
            </Button>
          </span>
        </>
      }
    />
  );
}
