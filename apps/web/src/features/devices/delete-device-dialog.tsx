import type { Device } from '@tongtu/contract';
import { deleteDeviceText } from '../../text/devices/devices.ts';
import { Mono } from '../../ui/mono.tsx';
import { useToast } from '../../ui/use-toast.ts';
import { DeleteByNameDialog } from '../confirm/delete-by-name-dialog.tsx';
import styles from './devices.module.css';
import { shownName } from './mapping-address.ts';
import { useDeleteDevice } from './use-devices.ts';

export function DeleteDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { id, name, mappings } = device;
  const toast = useToast();
  return (
    <DeleteByNameDialog
      name={name}
      text={deleteDeviceText}
      description={mappings.length === 0 ? deleteDeviceText.nothing : <DeletedMappingList device={device} />}
      remove={useDeleteDevice(id)}
      onSuccess={() => toast.success(deleteDeviceText.removed(name))}
      onClose={onClose}
    />
  );
}

function DeletedMappingList({ device }: { device: Device }) {
  return (
    <ul className={styles.deletedList}>
      {device.mappings.map((mapping) => (
        <li key={mapping.id}>
          <Mono>{shownName(mapping)}</Mono>
        </li>
      ))}
    </ul>
  );
}
