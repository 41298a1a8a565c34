import { Form } from 'antd';
import { errorText } from '../../../api/index.ts';
import { phoneText } from '../../../text/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { PhoneCodeFields, type PhoneCodeValues } from '../../login/phone/phone-code-fields.tsx';
import { completeNumber, defaultRegion } from '../../login/phone/phone-number.ts';
import { useBindPhone } from '../use-user-info.ts';
import styles from '../account.module.css';

const formId = 'bind-phone';

export function BindPhoneDialog({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<PhoneCodeValues>();
  const toast = useToast();
  const bind = useBindPhone();
  const submit = useSubmit({
    send: (fields: PhoneCodeValues) =>
      bind.mutateAsync({
        phone: completeNumber(fields.region ?? defaultRegion, fields.phone) ?? fields.phone,
        code: fields.code,
      }),
    onSuccess: () => toast.success(phoneText.done),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={phoneText.bindTitle}
      okText={phoneText.bind}
      confirmLoading={bind.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<PhoneCodeValues>
        form={form}
        name={formId}
        layout="vertical"
        requiredMark={false}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => bind.reset()}
        className={styles.form ?? ''}
      >
        <PhoneCodeFields form={form} id={formId} purpose="bind" isDisabled={bind.isPending} attempt={bind} />
        <button type="submit" hidden>
          {phoneText.bind}
        </button>
      </Form>
      <Problem error={bind.error} />
    </Dialog>
  );
}
