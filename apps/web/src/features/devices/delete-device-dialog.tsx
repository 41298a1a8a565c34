import { Alert, Form, Input } from 'antd';
import type { Device } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { deleteDeviceText } from '../../text/devices/devices.ts';
import { sharedText } from '../../text/shared.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import { Mono } from '../../ui/mono.tsx';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import styles from './devices.module.css';
import { shownName } from './mapping-address.ts';
import { useDeleteDevice } from './use-devices.ts';

/** The user types the device's name to confirm. Lists what is deleted with the device. */
export function DeleteDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const [form] = Form.useForm<{ name: string }>();
  const typedName = Form.useWatch('name', form);
  const toast = useToast();
  const remove = useDeleteDevice();
  const submit = useSubmit({
    send: () => remove.mutateAsync(device.id),
    onSuccess: () => toast.success(deleteDeviceText.removed(device.name)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return (
    <Dialog
      title={deleteDeviceText.title}
      okText={deleteDeviceText.confirm}
      okButtonProps={{ danger: true, disabled: typedName?.trim() !== device.name }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <Alert
        type="warning"
        showIcon
        className={styles.deletionWarning ?? ''}
        title={deleteDeviceText.warning}
        description={device.mappings.length === 0 ? deleteDeviceText.nothing : <DeletedMappingList device={device} />}
      />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={() => void submit(undefined)}
        onValuesChange={() => form.setFields([{ name: 'name', errors: [] }])}
        className={styles.confirmName ?? ''}
      >
        <Form.Item
          name="name"
          label={deleteDeviceText.type(device.name)}
          validateTrigger={[]}
          rules={[
            {
              validator: (_rule, value: string | undefined) =>
                value?.trim() === device.name ? Promise.resolve() : Promise.reject(new Error(sharedText.invalidInput)),
            },
          ]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
      </Form>
      {remove.isError && <Alert type="error" showIcon title={errorText(remove.error)} />}
    </Dialog>
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
