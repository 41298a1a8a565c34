import type { Device, Mapping } from '@tongtu/contract';
import { lazy, Suspense } from 'react';
import { AddDeviceDialog } from './add-device/add-device-dialog.tsx';
import { AllowListDialog } from './allow-list/allow-list-dialog.tsx';
import { ConnectionTestDialog } from './connection-test/connection-test-dialog.tsx';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import { BindDeviceDialog } from './add-device/bind-device-dialog.tsx';
import { ClientWindowDialog } from './sharing/client-window-dialog.tsx';
import { SharingDialog } from './sharing/sharing-dialog.tsx';
import { UpgradeAgentDialog } from './upgrade-agent/upgrade-agent-dialog.tsx';

/** Apart from the screen, which need not wait for its calendars. */
const MappingDialog = lazy(async () => ({
  default: (await import('./mapping-dialog/mapping-dialog.tsx')).MappingDialog,
}));

/** The one dialog that may be open on the screen. */
export type DeviceDialog =
  | { type: 'add-device' }
  | { type: 'bind-device'; code: string }
  | { type: 'create-mapping'; device: Device }
  | { type: 'edit-mapping'; device: Device; mapping: Mapping }
  | { type: 'test'; device: Device; mapping: Mapping }
  | { type: 'sharing'; mapping: Mapping }
  | { type: 'client-window'; mapping: Mapping }
  | { type: 'allow-list'; device: Device }
  | { type: 'delete-device'; device: Device }
  | { type: 'upgrade-agent'; device: Device };

type DeviceDialogsProps = {
  dialog: DeviceDialog | undefined;
  devices: readonly Device[];
  onOpen: (dialog: DeviceDialog) => void;
  onClose: () => void;
};

export function DeviceDialogs({ dialog, devices, onOpen, onClose }: DeviceDialogsProps) {
  switch (dialog?.type) {
    case undefined:
      return null;
    case 'add-device':
      return (
        <AddDeviceDialog
          devices={devices}
          onClose={onClose}
          onAddMapping={(device) => onOpen({ type: 'create-mapping', device })}
        />
      );
    case 'bind-device':
      return <BindDeviceDialog code={dialog.code} onClose={onClose} />;
    case 'create-mapping':
      return (
        <Suspense fallback={null}>
          <MappingDialog device={dialog.device} devices={devices} onClose={onClose} />
        </Suspense>
      );
    case 'edit-mapping':
      return (
        <Suspense fallback={null}>
          <MappingDialog device={dialog.device} devices={devices} mapping={dialog.mapping} onClose={onClose} />
        </Suspense>
      );
    case 'test':
      return <ConnectionTestDialog device={dialog.device} mapping={dialog.mapping} onClose={onClose} />;
    case 'sharing':
      return <SharingDialog mapping={dialog.mapping} onClose={onClose} />;
    case 'client-window':
      return <ClientWindowDialog mapping={dialog.mapping} onClose={onClose} />;
    case 'allow-list':
      return <AllowListDialog device={dialog.device} onClose={onClose} />;
    case 'delete-device':
      return <DeleteDeviceDialog device={dialog.device} onClose={onClose} />;
    case 'upgrade-agent': {
      const device = devices.find(({ id }) => id === dialog.device.id) ?? dialog.device;
      return <UpgradeAgentDialog device={device} onClose={onClose} />;
    }
  }
}
