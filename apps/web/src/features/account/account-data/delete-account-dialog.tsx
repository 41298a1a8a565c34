import { Alert, Form, Input } from 'antd';
import { errorText, useProfile } from '../../../api/index.ts';
import { deleteAccountText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Dialog, nothingToKeep } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../account.module.css';
import { useDeleteAccount } from './use-account-data.ts';

/** Asks for the user name and lists what will be deleted. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const username = useProfile()?.username ?? '';
  const [form] = Form.useForm<{ username: string }>();
  const typed = Form.useWatch('username', form);
  const isTyped = typed?.trim() === username;
  const toast = useToast();
  const remove = useDeleteAccount();
  const submit = useSubmit({
    send: () => remove.mutateAsync(undefined),
    onSuccess: ({ deletion_at: at }) => {
      if (at !== null) toast.success(deleteAccountText.accepted(momentText(at)));
    },
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={deleteAccountText.title}
      okText={deleteAccountText.confirm}
      okButtonProps={{ danger: true, disabled: !isTyped }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <Alert type="warning" showIcon title={deleteAccountText.warning} description={<DeletedItems />} />
      <Form
        form={form}
        name="delete-account"
        layout="vertical"
        requiredMark={false}
        onFinish={() => void submit(undefined)}
        onValuesChange={() => {
          remove.reset();
          form.setFields([{ name: 'username', errors: [] }]);
        }}
        className={styles.form ?? ''}
      >
        <Form.Item
          name="username"
          label={deleteAccountText.type(username)}
          validateTrigger={[]}
          rules={[
            {
              validator: (_rule, value: string | undefined) =>
                value?.trim() === username ? Promise.resolve() : Promise.reject(new Error(deleteAccountText.mismatch)),
            },
          ]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
      </Form>
      <Problem error={remove.error} />
    </Dialog>
  );
}

function DeletedItems() {
  return (
    <>
      <ul className={styles.deletedItems}>
        {deleteAccountText.deleted.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      {deleteAccountText.meanwhile}
    </>
  );
}
