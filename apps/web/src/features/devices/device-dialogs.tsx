import type { Device } from '@tongtu/contract';
import { lazy, Suspense } from 'react';
import type { DeviceDialog } from './device-dialog.ts';

/** A chunk of its own: the screen does not wait for forms, QR codes and calendars. */
const AddDeviceDialog = lazy(async () => ({
  default: (await import('./add-device/add-device-dialog.tsx')).AddDeviceDialog,
}));
const BindDeviceDialog = lazy(async () => ({
  default: (await import('./add-device/bind-device-dialog.tsx')).BindDeviceDialog,
}));
const MappingDialog = lazy(async () => ({
  default: (await import('./mapping-dialog/mapping-dialog.tsx')).MappingDialog,
}));
const ConnectionTestDialog = lazy(async () => ({
  default: (await import('./connection-test/connection-test-dialog.tsx')).ConnectionTestDialog,
}));
const SharingDialog = lazy(async () => ({ default: (await import('./sharing/sharing-dialog.tsx')).SharingDialog }));
const ClientWindowDialog = lazy(async () => ({
  default: (await import('./sharing/client-window-dialog.tsx')).ClientWindowDialog,
}));
const AllowListDialog = lazy(async () => ({
  default: (await import('./allow-list/allow-list-dialog.tsx')).AllowListDialog,
}));
const DeleteDeviceDialog = lazy(async () => ({
  default: (await import('./delete-device-dialog.tsx')).DeleteDeviceDialog,
}));
const MappingFileDialog = lazy(async () => ({
  default: (await import('./mapping-file/mapping-file-dialog.tsx')).MappingFileDialog,
}));
const AdoptionDialog = lazy(async () => ({ default: (await import('./adoption/adoption-dialog.tsx')).AdoptionDialog }));

const DeleteDevicesDialog = lazy(async () => ({
  default: (await import('./many/delete-devices-dialog.tsx')).DeleteDevicesDialog,
}));
const MoveDevicesDialog = lazy(async () => ({
  default: (await import('./many/move-devices-dialog.tsx')).MoveDevicesDialog,
}));
const ManyRefusedDialog = lazy(async () => ({
  default: (await import('./many/many-refused-dialog.tsx')).ManyRefusedDialog,
}));
const UpgradeAgentDialog = lazy(async () => ({
  default: (await import('./upgrade-agent/upgrade-agent-dialog.tsx')).UpgradeAgentDialog,
}));
const FrpcAccountDialog = lazy(async () => ({
  default: (await import('./frpc/frpc-account-dialog.tsx')).FrpcAccountDialog,
}));
const DiagnosisDialog = lazy(async () => ({
  default: (await import('./diagnosis/diagnosis-dialog.tsx')).DiagnosisDialog,
}));
const FrpcDialog = lazy(async () => ({ default: (await import('./frpc/frpc-dialog.tsx')).FrpcDialog }));
const AppDialog = lazy(async () => ({ default: (await import('./cloud-apps/app-dialog/app-dialog.tsx')).AppDialog }));
const AppMembersDialog = lazy(async () => ({
  default: (await import('./cloud-apps/app-members-dialog.tsx')).AppMembersDialog,
}));
const AppSessionsDialog = lazy(async () => ({
  default: (await import('./cloud-apps/app-sessions-dialog.tsx')).AppSessionsDialog,
}));

type DeviceDialogsProps = {
  dialog: DeviceDialog | undefined;
  devices: readonly Device[];
  onOpen: (dialog: DeviceDialog) => void;
  onClose: () => void;
};

export function DeviceDialogs(props: DeviceDialogsProps) {
  return (
    <Suspense fallback={null}>
      <OpenDialog {...props} />
    </Suspense>
  );
}

function OpenDialog({ dialog, devices, onOpen, onClose }: DeviceDialogsProps) {
  /** As it is now: a mapping that was added elsewhere meanwhile is deleted with its device, so it is listed, too. */
  const present = (device: Device) => devices.find(({ id }) => id === device.id) ?? device;
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
        <MappingDialog
          device={dialog.device}
          devices={devices}
          {...(dialog.prefill && { prefill: dialog.prefill })}
          {...(dialog.service && { service: dialog.service })}
          onClose={onClose}
        />
      );
    case 'edit-mapping':
      return <MappingDialog device={dialog.device} devices={devices} mapping={dialog.mapping} onClose={onClose} />;
    case 'test':
      return <ConnectionTestDialog device={dialog.device} mapping={dialog.mapping} onClose={onClose} />;
    case 'sharing':
      return <SharingDialog mapping={dialog.mapping} onClose={onClose} />;
    case 'client-window':
      return <ClientWindowDialog mapping={dialog.mapping} onClose={onClose} />;
    case 'allow-list':
      return <AllowListDialog device={dialog.device} onClose={onClose} />;
    case 'delete-device':
      return <DeleteDeviceDialog device={present(dialog.device)} onClose={onClose} />;
    case 'delete-devices':
      return <DeleteDevicesDialog devices={dialog.devices.map(present)} onOpen={onOpen} onClose={onClose} />;
    case 'move-devices':
      return <MoveDevicesDialog devices={dialog.devices} all={devices} onOpen={onOpen} onClose={onClose} />;
    case 'many-refused':
      return <ManyRefusedDialog outcome={dialog.outcome} onClose={onClose} />;
    case 'mapping-file':
      return <MappingFileDialog device={dialog.device} onClose={onClose} />;
    case 'adopt-device': {
      const { device, successorId } = dialog;
      return <AdoptionDialog device={device} {...(successorId && { successorId })} onClose={onClose} />;
    }
    case 'upgrade-agent':
      return <UpgradeAgentDialog device={present(dialog.device)} devices={devices} onClose={onClose} />;
    case 'diagnosis':
      return <DiagnosisDialog device={present(dialog.device)} onClose={onClose} />;
    case 'frpc':
      return <FrpcDialog device={dialog.device} onClose={onClose} />;
    case 'frpc-account':
      return <FrpcAccountDialog onClose={onClose} />;
    case 'create-app': {
      const { device, group, prefill } = dialog;
      return <AppDialog of={{ device, group, ...(prefill && { prefill }) }} onClose={onClose} />;
    }
    case 'edit-app':
      return <AppDialog of={{ app: dialog.app }} onClose={onClose} />;
    case 'app-members':
      return <AppMembersDialog app={dialog.app} onClose={onClose} />;
    case 'app-sessions':
      return <AppSessionsDialog onClose={onClose} />;
  }
}
