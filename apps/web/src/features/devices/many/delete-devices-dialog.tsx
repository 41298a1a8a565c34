import { Alert, Form, Input } from 'antd';
import type { Device } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { manyDevicesText } from '../../../text/devices/many-devices.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { Mono } from '../../../ui/mono.tsx';
import { useToast } from '../../../ui/use-toast.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { shownName } from '../mapping-address.ts';
import styles from './many.module.css';
import { useDeleteDevices } from './use-many-devices.ts';

type DeleteDevicesDialogProps = {
  devices: readonly Device[];
  onOpen: (dialog: DeviceDialog) => void;
  onClose: () => void;
};

/** The user types how many devices are deleted. Lists them with their addresses. */
export function DeleteDevicesDialog({ devices, onOpen, onClose }: DeleteDevicesDialogProps) {
  const [form] = Form.useForm<{ count: string }>();
  const typedCount = Form.useWatch('count', form);
  const isConfirmed = typedCount?.trim() === String(devices.length);
  const toast = useToast();
  const remove = useDeleteDevices();
  const submit = useSubmit({
    send: () => remove.mutateAsync({ devices }),
    onSuccess: (outcome) => {
      onClose();
      if (outcome.refused.length > 0) onOpen({ type: 'many-refused', outcome });
      else toast.success(manyDevicesText.removed(outcome.done));
    },
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return (
    <Dialog
      title={manyDevicesText.deleteTitle(devices.length)}
      okText={manyDevicesText.confirmDelete(devices.length)}
      okButtonProps={{ danger: true, disabled: !isConfirmed }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <Alert
        type="warning"
        showIcon
        className={styles.warning ?? ''}
        title={manyDevicesText.deleteWarning}
        description={<Deleted devices={devices} />}
      />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={() => {
          if (isConfirmed) void submit(undefined);
        }}
      >
        <Form.Item name="count" label={manyDevicesText.typeCount(devices.length)}>
          <Input autoFocus autoComplete="off" inputMode="numeric" />
        </Form.Item>
      </Form>
      {remove.isError && <Alert type="error" showIcon title={errorText(remove.error)} />}
    </Dialog>
  );
}

function Deleted({ devices }: { devices: readonly Device[] }) {
  return (
    <ul className={styles.deleted}>
      {devices.map((device) => (
        <li key={device.id}>
          <bdi>{device.name}</bdi>
          {device.mappings.length === 0 && `：${manyDevicesText.noMappings}`}
          <ul>
            {device.mappings.map((mapping) => (
              <li key={mapping.id}>
                <Mono>{shownName(mapping)}</Mono>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
