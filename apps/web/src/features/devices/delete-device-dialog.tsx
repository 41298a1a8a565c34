import { Alert, App, Form, Input, Modal } from 'antd';
import type { Device } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { deleteDeviceText } from '../../text/devices.ts';
import { sharedText } from '../../text/shared.ts';
import { Mono } from '../../ui/mono.tsx';
import styles from './devices.module.css';
import { useDeleteDevice } from './use-devices.ts';

const maxNameLength = 40;

/** Asks for the device's name and lists what goes with it. */
export function DeleteDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const [form] = Form.useForm<{ name: string }>();
  const typedName = Form.useWatch('name', form);
  const { message } = App.useApp();
  const remove = useDeleteDevice();

  function submit() {
    remove.mutate(device.id, {
      onSuccess: () => {
        void message.success(deleteDeviceText.removed(device.name));
        onClose();
      },
    });
  }

  return (
    <Modal
      open
      title={deleteDeviceText.title}
      okText={deleteDeviceText.confirm}
      okButtonProps={{ danger: true, disabled: typedName?.trim() !== device.name }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Alert
        type="warning"
        showIcon
        className={styles.goneWarning ?? ''}
        title={deleteDeviceText.warning}
        description={device.mappings.length === 0 ? deleteDeviceText.nothing : <GoneList device={device} />}
      />
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={submit}
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
          <Input autoFocus autoComplete="off" maxLength={maxNameLength} />
        </Form.Item>
      </Form>
      {remove.isError && <Alert type="error" showIcon title={errorText(remove.error)} />}
    </Modal>
  );
}

function GoneList({ device }: { device: Device }) {
  return (
    <ul className={styles.goneList}>
      {device.mappings.map((mapping) => (
        <li key={mapping.id}>
          <Mono>{mapping.domain}</Mono>
        </li>
      ))}
    </ul>
  );
}
