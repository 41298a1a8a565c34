import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { lanPath } from '../../../routing/paths.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import styles from '../devices.module.css';
import { mappingName } from '../mapping-address.ts';
import { MappingRow } from '../mapping-row/mapping-row.tsx';
import { useSavedMapping } from '../saved-mapping.ts';
import type { SelectedDevice } from '../select-devices.ts';

export type DeviceMappingsProps = Pick<SelectedDevice, 'device' | 'mappings'> & {
  highlightedDomain: string;
  onOpen: (dialog: DeviceDialog) => void;
};

/** The mappings of a device. Those that do not match the search are shown on request. */
export function DeviceMappings({ device, mappings, highlightedDomain, onOpen }: DeviceMappingsProps) {
  const [isAllShown, setIsAllShown] = useState(false);
  const shown = isAllShown ? device.mappings : mappings;
  // Once for each that was saved: a search that begins while it is still marked leaves it out like the others.
  const savedId = useSavedMapping().id;
  const [seenSavedId, setSeenSavedId] = useState<number>();
  if (savedId !== seenSavedId && device.mappings.some(({ id }) => id === savedId)) {
    setSeenSavedId(savedId);
    if (!shown.some(({ id }) => id === savedId)) setIsAllShown(true);
  }
  const leftOutCount = device.mappings.length - shown.length;
  return (
    <>
      {device.mappings.length === 0 && (
        <p className={styles.noMappings}>
          {device.program === 'frpc-toml' ? frpcShownText.noMappings : devicesText.noMappings}{' '}
          {device.program === 'agent' && <Link to={lanPath(device.id)}>{devicesText.lookInLan}</Link>}
        </p>
      )}
      <ul className={styles.mappingList}>
        {shown.map((mapping) => (
          <MappingRow
            key={mapping.id}
            device={device}
            mapping={mapping}
            isHighlighted={mappingName(mapping) === highlightedDomain}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {leftOutCount > 0 && (
        <p className={styles.leftOut}>
          {devicesText.leftOut(leftOutCount)}
          <Button size="small" type="link" onClick={() => setIsAllShown(true)}>
            {devicesText.showAll}
          </Button>
        </p>
      )}
    </>
  );
}
