import { Form, Input } from 'antd';
import { MAX_EMAIL_LENGTH } from '@tongtu/contract/limits';
import { errorText, fieldErrors, useApi } from '../../../api/index.ts';
import { emailText } from '../../../text/account/users.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { CodeField } from '../../codes/code-field.tsx';
import { useSendCode } from '../../codes/use-send-code.ts';
import { Problem } from '../../confirm/problem.tsx';
import { useBindEmail } from '../use-user-info.ts';
import styles from '../account.module.css';

type Fields = { email: string; code: string };
type EmailDialogProps = { title: string; action: string; onClose: () => void };

/** Binds an e-mail address after a code was sent to it. */
export function EmailDialog({ title, action, onClose }: EmailDialogProps) {
  const [form] = Form.useForm<Fields>();
  const toast = useToast();
  const { call } = useApi();
  const bind = useBindEmail();
  const sending = useSendCode('email-bind', bind, undefined);
  const submit = useSubmit({
    send: ({ email, code }: Fields) => bind.mutateAsync({ email: email.trim(), code }),
    onSuccess: () => toast.success(emailText.done),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  async function sendCode() {
    const checked = await form.validateFields(['email']).catch(() => undefined);
    if (!checked) return false;
    const email = form.getFieldValue('email').trim();
    return await sending.send(() => call('POST /api/verify/email/send/', { body: { email } }));
  }

  return (
    <Dialog title={title} okText={action} confirmLoading={bind.isPending} onOk={() => form.submit()} onClose={onClose}>
      <Form<Fields>
        form={form}
        name="email"
        layout="vertical"
        noValidate
        requiredMark={false}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(bind)}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="email"
          label={emailText.address}
          validateTrigger="onSubmit"
          rules={[{ required: true, type: 'email', transform: (text) => text?.trim(), message: emailText.invalid }]}
        >
          <Input autoFocus type="email" inputMode="email" autoComplete="email" maxLength={MAX_EMAIL_LENGTH} />
        </Form.Item>
        <CodeField name="code" label={emailText.code} sending={sending} onSend={sendCode} />
        <SubmitOnEnter />
      </Form>
      <Problem error={bind.error} textOf={(error) => fieldErrors(error).email?.[0] ?? errorText(error)} />
    </Dialog>
  );
}
