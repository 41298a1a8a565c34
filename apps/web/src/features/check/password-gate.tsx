import { KeyOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input, type InputRef } from 'antd';
import { useRef } from 'react';
import type { CheckReply } from '@tongtu/contract';
import { MAX_ACCESS_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { errorText } from '../../api/index.ts';
import { HomeButton } from '../../home-button.tsx';
import { checkText } from '../../text/check.ts';
import { Mono } from '../../ui/mono.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { AccountButton } from './account-button.tsx';
import styles from './check.module.css';
import { NetworkNote } from './network-note.tsx';
import { useEnterPassword, type Visit } from './use-check.ts';

type Fields = { password: string };
type PasswordGateProps = { reply: CheckReply; visit: Visit };

function PasswordForm({ visit }: { visit: Visit }) {
  const enter = useEnterPassword(visit);
  const input = useRef<InputRef>(null);
  // The user is typing a new password, so the old message no longer applies.
  const retype = () => input.current?.focus({ cursor: 'all' });
  const submit = useSubmit({
    send: ({ password }: Fields) => enter.mutateAsync(password).catch(retype),
  });
  const isUnsolved = enter.isSuccess && enter.data === undefined;
  return (
    <Form<Fields>
      layout="vertical"
      requiredMark={false}
      initialValues={{ password: '' }}
      onFinish={(fields) => void submit(fields)}
      className={styles.form ?? ''}
    >
      <Form.Item
        name="password"
        label={checkText.password}
        validateTrigger={[]}
        rules={[{ required: true, message: checkText.passwordRequired }]}
      >
        {/* Not an account's password: password managers must neither fill in nor store it. */}
        <Input.Password
          ref={input}
          autoFocus
          maxLength={MAX_ACCESS_PASSWORD_LENGTH}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
        />
      </Form.Item>
      {(enter.error || isUnsolved) && (
        <Alert
          type={enter.error ? 'error' : 'warning'}
          showIcon
          title={enter.error ? errorText(enter.error) : checkText.captchaNeeded}
          className={styles.problem ?? ''}
        />
      )}
      <Button type="primary" htmlType="submit" block loading={enter.isPending}>
        {checkText.enter}
      </Button>
    </Form>
  );
}

/** Asks for the mapping's access password; owner and members need none. */
export function PasswordGate({ reply, visit }: PasswordGateProps) {
  return (
    <StatusCard
      tone="accent"
      icon={<KeyOutlined />}
      title={checkText.passwordTitle}
      description={
        <>
          <Mono>{reply.domain}</Mono>
          <PasswordForm visit={visit} />
          <NetworkNote reply={reply} />
          <p className={styles.other}>{checkText.ownerOrMember}</p>
        </>
      }
      actions={
        <>
          <AccountButton reply={reply} url={visit.url} />
          <HomeButton />
        </>
      }
    />
  );
}
