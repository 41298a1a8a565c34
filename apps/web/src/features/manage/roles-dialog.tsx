import { Checkbox, Form } from 'antd';
import type { ManagedUser } from '@tongtu/contract';
import type { RoleFlags } from '@tongtu/contract/roles';
import { changedFields, errorText } from '../../api/index.ts';
import { rolesText } from '../../text/manage.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import { Problem } from '../confirm/problem.tsx';
import styles from './manage.module.css';
import { useSetRoles } from './use-managed-users.ts';

const flags = ['is_superuser', 'is_staff', 'is_promoter'] as const;

/** For superusers: what the user may do for the operator. */
export function RolesDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const [form] = Form.useForm<RoleFlags>();
  const toast = useToast();
  const save = useSetRoles(user.id);
  const { is_superuser, is_staff, is_promoter } = user;
  const initial: RoleFlags = { is_superuser, is_staff, is_promoter };
  const submit = useSubmit({
    send: (values: RoleFlags) => save.mutateAsync(changedFields(values, initial)),
    onSuccess: ({ username }) => toast.success(rolesText.saved(username)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={rolesText.title(user.username)}
      okText={rolesText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <p className={styles.intro}>{rolesText.intro}</p>
      <Form<RoleFlags>
        form={form}
        name="roles"
        initialValues={initial}
        onFinish={(values) => void submit(values)}
        onValuesChange={() => forgetFailure(save)}
      >
        {flags.map((flag) => (
          <Form.Item key={flag} name={flag} valuePropName="checked" extra={rolesText.hints[flag]}>
            <Checkbox>{rolesText.roles[flag]}</Checkbox>
          </Form.Item>
        ))}
      </Form>
      <Problem error={save.error} />
    </Dialog>
  );
}
