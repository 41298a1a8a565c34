import { Alert, Button, Form, Input } from 'antd';
import { MAX_APP_SECRET_LENGTH, MAX_APP_USERNAME_LENGTH } from '@tongtu/contract/limits';
import { connectingText } from '../../../text/cloud-apps/connecting.ts';
import styles from './connecting.module.css';

/** What the user types for one connection. */
export type Credentials = { username?: string; password?: string; passphrase?: string };

type CredentialsFormProps = {
  isRefused: boolean;
  wanted: readonly (keyof Credentials)[];
  onSubmit: (credentials: Credentials) => void;
  /** In place of the usual words, for an app that has others. */
  words?: CredentialsWords;
};

export type CredentialsWords = { password?: string; refused?: string };

/** What the app has not stored. It is sent to the target and kept nowhere. */
export function CredentialsForm({ isRefused, wanted, onSubmit, words = {} }: CredentialsFormProps) {
  return (
    <section className={styles.panel} aria-label={connectingText.credentialsTitle}>
      <h2>{connectingText.credentialsTitle}</h2>
      {isRefused && (
        <Alert
          type="error"
          showIcon
          title={words.refused ?? connectingText.refused}
          className={styles.panelAlert ?? ''}
        />
      )}
      <Form<Credentials>
        layout="vertical"
        requiredMark={false}
        autoComplete="off"
        initialValues={Object.fromEntries(wanted.map((name) => [name, '']))}
        onFinish={onSubmit}
      >
        {wanted.map((name, index) => (
          <Form.Item
            key={name}
            name={name}
            label={(name === 'password' && words.password) || connectingText.wanted[name]}
          >
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
        <p className={styles.panelNote}>{connectingText.credentialsNote}</p>
        <Button type="primary" htmlType="submit" block>
          {connectingText.logIn}
        </Button>
      </Form>
    </section>
  );
}
