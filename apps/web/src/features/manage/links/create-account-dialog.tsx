import { Form, Input } from 'antd';
import { MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { errorCode, errorText, fieldErrors } from '../../../api/index.ts';
import { createAccountText } from '../../../text/manage.ts';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { Problem } from '../../confirm/problem.tsx';
import { defaultLifeHours, LifeField } from './life-field.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { LinkResult } from './link-result.tsx';
import styles from '../manage.module.css';
import { useCreateAccount } from '../use-managed-users.ts';

type Fields = { username: string; validHours: number };

function nameErrorsOf(error: unknown): string[] | undefined {
  return errorCode(error) === 'user.name-taken' ? [errorText(error)] : fieldErrors(error)['username'];
}

/** Creates an account, whose owner chooses the password by a link. */
export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const create = useCreateAccount();
  const { data: made, error } = create;
  useEffect(() => {
    const errors = nameErrorsOf(error);
    if (errors) form.setFields([{ name: 'username', errors }]);
  }, [form, error]);
  const submit = useSubmit({
    send: ({ username, validHours }: Fields) =>
      create.mutateAsync({ username: username.trim(), valid_hours: validHours }),
  });
  return (
    <LinkDialog
      title={createAccountText.title}
      submit={{ word: createAccountText.submit, isPending: create.isPending, onSubmit: () => form.submit() }}
      result={
        made && (
          <>
            <LinkResult title={createAccountText.made(made.user.username)} link={made.link} />
            <p className={styles.afterLink}>{createAccountText.hand}</p>
          </>
        )
      }
      onClose={onClose}
    >
      <p className={styles.intro}>{createAccountText.intro}</p>
      <Form<Fields>
        form={form}
        name="create-account"
        layout="vertical"
        requiredMark={false}
        initialValues={{ username: '', validHours: defaultLifeHours }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(create)}
      >
        <Form.Item
          name="username"
          label={createAccountText.username}
          rules={[{ required: true, whitespace: true, message: createAccountText.usernameRequired }]}
        >
          <Input autoFocus autoComplete="off" autoCapitalize="none" maxLength={MAX_USERNAME_LENGTH} />
        </Form.Item>
        <LifeField />
        <SubmitOnEnter />
      </Form>
      {!nameErrorsOf(error) && <Problem error={error} />}
    </LinkDialog>
  );
}
