import { Form, Input } from 'antd';
import type { Reply } from '@tongtu/contract';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorText, fieldErrors } from '../../../api/index.ts';
import { addDeviceText, enrolmentKeysText } from '../../../text/devices/devices.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { KeyLimitFields } from '../../enrolment-keys/key-limit-fields.tsx';
import { useCreateEnrolmentKey } from '../../enrolment-keys/use-enrolment-keys.ts';
import styles from '../account.module.css';

type Fields = { name: string; device_name: string; is_reusable: boolean; valid_hours: number };
const names = ['name', 'device_name'] as const;
const oneDay = 24;

type CreateEnrolmentKeyDialogProps = {
  onClose: () => void;
  onCreated: (created: Reply<'POST /api/user/enrolment_keys/'>) => void;
};

export function CreateEnrolmentKeyDialog({ onClose, onCreated }: CreateEnrolmentKeyDialogProps) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const create = useCreateEnrolmentKey();
  const isAtField = names.some((name) => fieldErrors(create.error)[name]);
  useEffect(() => {
    const errors = fieldErrors(create.error);
    form.setFields(names.map((name) => ({ name, errors: errors[name] ?? [] })));
  }, [form, create.error]);
  const submit = useSubmit({
    send: (fields: Fields) =>
      create.mutateAsync({ ...fields, name: fields.name.trim(), device_name: fields.device_name.trim() }),
    onSuccess: onCreated,
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  const length = { max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) };
  return (
    <Dialog
      title={enrolmentKeysText.createTitle}
      okText={enrolmentKeysText.create}
      confirmLoading={create.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="enrolment-key"
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: '', device_name: '', is_reusable: true, valid_hours: oneDay }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(create)}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="name"
          label={enrolmentKeysText.name}
          extra={enrolmentKeysText.nameHint}
          rules={[{ required: true, whitespace: true, message: enrolmentKeysText.nameRequired }, length]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
        <KeyLimitFields />
        <Form.Item
          name="device_name"
          label={addDeviceText.deviceName}
          extra={addDeviceText.deviceNameHint}
          rules={[length]}
        >
          <Input autoComplete="off" />
        </Form.Item>
        <SubmitOnEnter />
      </Form>
      {!isAtField && <Problem error={create.error} />}
    </Dialog>
  );
}
