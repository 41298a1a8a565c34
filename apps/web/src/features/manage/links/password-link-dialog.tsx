import { Form } from 'antd';
import type { ManagedUser } from '@tongtu/contract';
import { passwordLinkText } from '../../../text/manage.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { Problem } from '../../confirm/problem.tsx';
import { defaultLifeHours, LifeField } from './life-field.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { LinkResult } from './link-result.tsx';
import styles from '../manage.module.css';
import { hasNoSignInMethod } from '../user-state.ts';
import { useMakePasswordLink } from '../use-managed-users.ts';

/** Makes a link with which the account's owner chooses a password. */
export function PasswordLinkDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const [form] = Form.useForm<{ validHours: number }>();
  const make = useMakePasswordLink(user.id);
  const isFirst = hasNoSignInMethod(user);
  const submit = useSubmit({
    send: ({ validHours }: { validHours: number }) => make.mutateAsync(validHours),
  });
  return (
    <LinkDialog
      title={isFirst ? passwordLinkText.firstTitle(user.username) : passwordLinkText.title(user.username)}
      submit={{ word: passwordLinkText.submit, isPending: make.isPending, onSubmit: () => form.submit() }}
      result={make.data && <LinkResult title={passwordLinkText.made} link={make.data} />}
      onClose={onClose}
    >
      <p className={styles.intro}>{isFirst ? passwordLinkText.firstIntro : passwordLinkText.intro}</p>
      <Form
        form={form}
        name="password-link"
        layout="vertical"
        initialValues={{ validHours: defaultLifeHours }}
        onFinish={(fields) => void submit(fields)}
      >
        <LifeField />
      </Form>
      <Problem error={make.error} />
    </LinkDialog>
  );
}
