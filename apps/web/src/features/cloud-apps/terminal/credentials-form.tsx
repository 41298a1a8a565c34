import { Alert, Button, Form, Input } from 'antd';
import { MAX_APP_SECRET_LENGTH, MAX_APP_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import type { Credentials } from './terminal-connection.ts';
import styles from './terminal.module.css';

type CredentialsFormProps = {
  isRefused: boolean;
  wanted: readonly (keyof Credentials)[];
  onSubmit: (credentials: Credentials) => void;
};

/** What the app has not stored. It is sent to the target and kept nowhere. */
export function CredentialsForm({ isRefused, wanted, onSubmit }: CredentialsFormProps) {
  return (
    <section className={styles.panel} aria-label={terminalText.credentialsTitle}>
      <h2>{terminalText.credentialsTitle}</h2>
      {isRefused && <Alert type="error" showIcon title={terminalText.refused} className={styles.panelAlert ?? ''} />}
      <Form<Credentials>
        layout="vertical"
        requiredMark={false}
        autoComplete="off"
        initialValues={Object.fromEntries(wanted.map((name) => [name, '']))}
        onFinish={onSubmit}
      >
        {wanted.map((name, index) => (
          <Form.Item key={name} name={name} label={terminalText.wanted[name]}>
            {name === 'username' ? (
              <Input
                autoFocus={index === 0}
                maxLength={MAX_APP_USERNAME_LENGTH}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            ) : (
              <Input.Password autoFocus={index === 0} maxLength={MAX_APP_SECRET_LENGTH} autoComplete="one-time-code" />
            )}
          </Form.Item>
        ))}
        <p className={styles.panelNote}>{terminalText.credentialsNote}</p>
        <Button type="primary" htmlType="submit" block>
          {terminalText.logIn}
        </Button>
      </Form>
    </section>
  );
}
