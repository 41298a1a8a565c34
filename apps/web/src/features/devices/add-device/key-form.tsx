import { Button, Form, Input } from 'antd';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { addDeviceText, enrolmentKeysText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { KeyLimitFields } from '../../enrolment-keys/key-limit-fields.tsx';
import type { EnrolmentKeyFields } from '../../enrolment-keys/use-enrolment-keys.ts';
import styles from './add-device.module.css';

type Fields = { device_name: string; is_reusable: boolean; valid_hours: number };
type KeyFormProps = {
  initial: EnrolmentKeyFields;
  onSubmit: (fields: EnrolmentKeyFields) => void;
  onCancel: () => void;
};

/** The validity and the number of devices of a new enrolment key. */
export function KeyForm({ initial, onSubmit, onCancel }: KeyFormProps) {
  const { device_name = '', is_reusable, valid_hours } = initial;
  function send(fields: Fields) {
    const deviceName = fields.device_name.trim();
    onSubmit({ ...fields, device_name: deviceName, name: deviceName || enrolmentKeysText.defaultName });
  }
  return (
    <Form<Fields>
      name="key-to-paste"
      layout="vertical"
      requiredMark={false}
      initialValues={{ device_name, is_reusable, valid_hours }}
      onFinish={send}
      className={styles.keyForm ?? ''}
    >
      <Form.Item
        name="device_name"
        label={addDeviceText.deviceName}
        extra={addDeviceText.deviceNameHint}
        rules={[{ max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) }]}
      >
        <Input autoFocus autoComplete="off" />
      </Form.Item>
      <KeyLimitFields />
      <div className={styles.keyButtons}>
        <Button type="primary" htmlType="submit">
          {addDeviceText.generate}
        </Button>
        <Button onClick={onCancel}>{sharedText.cancel}</Button>
      </div>
    </Form>
  );
}
