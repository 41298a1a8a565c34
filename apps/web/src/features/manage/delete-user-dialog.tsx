import { Alert, Form, Input } from 'antd';
import type { ManagedUser } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { deleteUserText } from '../../text/manage.ts';
import { Dialog, nothingToKeep } from '../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import { Problem } from '../confirm/problem.tsx';
import styles from './manage.module.css';
import { useDeleteUser } from './use-managed-users.ts';

/** Asks for the user name and lists what will be deleted. */
export function DeleteUserDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { username, device_count: devices, mapping_count: mappings } = user;
  const [form] = Form.useForm<{ username: string }>();
  const isTyped = Form.useWatch('username', form)?.trim() === username;
  const toast = useToast();
  const remove = useDeleteUser(user.id);
  const submit = useSubmit({
    send: () => remove.mutateAsync(),
    onSuccess: () => toast.success(deleteUserText.done(username)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={deleteUserText.title}
      okText={deleteUserText.confirm}
      okButtonProps={{ danger: true, disabled: !isTyped }}
      confirmLoading={remove.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <Alert
        type="warning"
        showIcon
        title={deleteUserText.warning}
        description={
          <>
            <ul className={styles.deletedItems}>
              {deleteUserText.deleted(devices, mappings).map((what) => (
                <li key={what}>{what}</li>
              ))}
            </ul>
            {deleteUserText.instead}
          </>
        }
      />
      <Form
        form={form}
        name="delete-user"
        layout="vertical"
        requiredMark={false}
        onFinish={() => void submit(undefined)}
        onValuesChange={() => {
          remove.reset();
          form.setFields([{ name: 'username', errors: [] }]);
        }}
        className={styles.confirmName ?? ''}
      >
        <Form.Item
          name="username"
          label={deleteUserText.type(username)}
          validateTrigger={[]}
          rules={[
            {
              validator: (_rule, value: string | undefined) =>
                value?.trim() === username ? Promise.resolve() : Promise.reject(new Error(deleteUserText.mismatch)),
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
