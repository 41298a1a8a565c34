import { Form, Input } from 'antd';
import { MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { passkeysText } from '../../../text/account/account.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { passkeyErrorText } from '../../confirm/passkey-error-text.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../account.module.css';
import { useAddPasskey } from './use-second-factor.ts';

type AddPasskeyDialogProps = { onClose: () => void; onCodes: (codes: string[]) => void };

export function AddPasskeyDialog({ onClose, onCodes }: AddPasskeyDialogProps) {
  const [form] = Form.useForm<{ name: string }>();
  const toast = useToast();
  const add = useAddPasskey();
  const submit = useSubmit({
    send: ({ name }: { name: string }) => add.mutateAsync(name.trim()),
    onSuccess: ({ recovery_codes: codes }) => {
      toast.success(passkeysText.added);
      onCodes(codes);
    },
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(passkeyErrorText(error)),
  });
  return (
    <Dialog
      title={passkeysText.addTitle}
      okText={passkeysText.go}
      confirmLoading={add.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form
        form={form}
        name="passkey"
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: passkeysText.defaultName }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(add)}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="name"
          label={passkeysText.name}
          extra={passkeysText.nameHint}
          rules={[
            { required: true, whitespace: true, message: passkeysText.nameRequired },
            { max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) },
          ]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
      </Form>
      <Problem error={add.error} textOf={passkeyErrorText} />
    </Dialog>
  );
}
