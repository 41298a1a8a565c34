import { Alert, Form, Input, Radio } from 'antd';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect } from 'react';
import { fieldErrors, useSiteConfig } from '../../../api/index.ts';
import { isLoopbackHost } from '../../../address/public-address.ts';
import { inviteText } from '../../../text/manage.ts';
import { sharedText } from '../../../text/shared.ts';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { Problem } from '../../confirm/problem.tsx';
import { defaultLifeHours, LifeField } from './life-field.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { LinkResult } from './link-result.tsx';
import styles from '../manage.module.css';
import { useInvite } from '../use-managed-users.ts';

type Fields = { note: string; way: 'link' | 'mail'; email?: string; validHours: number };
const initial: Fields = { note: '', way: 'link', validHours: defaultLifeHours };

type InviteDialogProps = {
  /** Whether this installation sends mail. */
  hasMail: boolean;
  onClose: () => void;
};

/** Invites one person, by a link or by mail. */
export function InviteDialog({ hasMail, onClose }: InviteDialogProps) {
  const [form] = Form.useForm<Fields>();
  const way = Form.useWatch('way', form);
  const invite = useInvite();
  const consoleUrl = useSiteConfig()?.console_url ?? '';
  const { data: made, error } = invite;
  const emailErrors = fieldErrors(error)['email'];
  useEffect(() => {
    if (emailErrors) form.setFields([{ name: 'email', errors: [inviteText.emailInvalid] }]);
  }, [form, emailErrors]);
  const submit = useSubmit({
    send: ({ note, email, validHours, way: chosen }: Fields) =>
      invite.mutateAsync({
        note: note.trim(),
        valid_hours: validHours,
        ...(chosen === 'mail' && { email: email?.trim() }),
      }),
  });
  const title = made && (made.email === '' ? inviteText.made : inviteText.sent(made.email));
  return (
    <LinkDialog
      title={inviteText.title}
      submit={{
        word: way === 'mail' ? inviteText.send : inviteText.submit,
        isPending: invite.isPending,
        onSubmit: () => form.submit(),
      }}
      result={made && <LinkResult title={title ?? ''} link={made} />}
      onClose={onClose}
    >
      <p className={styles.intro}>{inviteText.intro}</p>
      <Form<Fields>
        form={form}
        name="invite"
        noValidate
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(invite)}
      >
        <Form.Item
          name="note"
          label={inviteText.note}
          rules={[{ max: MAX_NAME_LENGTH, message: sharedText.tooLong(MAX_NAME_LENGTH) }]}
        >
          <Input autoFocus autoComplete="off" placeholder={inviteText.notePlaceholder} />
        </Form.Item>
        <Form.Item
          name="way"
          label={inviteText.way}
          extra={hasMail ? way === 'mail' && inviteText.mailHint : inviteText.noMail}
        >
          <Radio.Group
            options={[
              { value: 'link', label: inviteText.ways.link },
              { value: 'mail', label: inviteText.ways.mail, disabled: !hasMail },
            ]}
          />
        </Form.Item>
        {way === 'mail' && URL.canParse(consoleUrl) && isLoopbackHost(new URL(consoleUrl).hostname) && (
          <Alert
            type="warning"
            showIcon
            title={inviteText.localMail(consoleUrl)}
            className={styles.mailWarning ?? ''}
          />
        )}
        {way === 'mail' && (
          <Form.Item
            name="email"
            label={inviteText.email}
            validateTrigger="onBlur"
            rules={[{ required: true, type: 'email', transform: trimmed, message: inviteText.emailInvalid }]}
          >
            <Input type="email" maxLength={MAX_EMAIL_LENGTH} autoComplete="off" />
          </Form.Item>
        )}
        <LifeField />
        <SubmitOnEnter />
      </Form>
      {!emailErrors && <Problem error={error} />}
    </LinkDialog>
  );
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
