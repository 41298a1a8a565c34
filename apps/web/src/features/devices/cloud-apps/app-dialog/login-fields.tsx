import { Alert, Form, Input } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { MAX_APP_SECRET_LENGTH, MAX_APP_USERNAME_LENGTH, MAX_PRIVATE_KEY_LENGTH } from '@tongtu/contract/limits';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import styles from './app-dialog.module.css';
import { type AppFields, isShown } from './app-fields.ts';
import { KeyFileButton } from './key-file-button.tsx';
import { SecretField } from './secret-field.tsx';

type LoginFieldsProps = {
  fields: AppFields;
  app: CloudApp | undefined;
  /** Stored secrets go with the former target. */
  hasOtherTarget: boolean;
};

/** How the app logs in: what its kind has of these. */
export function LoginFields({ fields, app, hasOtherTarget }: LoginFieldsProps) {
  const hasStored = app !== undefined && (app.has_password || app.has_private_key);
  const passwordLabel = appFormText.passwordLabel[fields.kind] ?? appFormText.password;
  const asksForUsername = isShown('privateKey', fields);
  return (
    <>
      {hasOtherTarget && hasStored && (
        <Alert type="warning" showIcon title={appFormText.targetNote} className={styles.targetNote ?? ''} />
      )}
      {isShown('username', fields) && (
        <Form.Item
          name="username"
          label={appFormText.username}
          extra={asksForUsername ? appFormText.usernameHint : appFormText.usernameOptionalHint}
        >
          <Input maxLength={MAX_APP_USERNAME_LENGTH} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      )}
      {isShown('domain', fields) && (
        <Form.Item name="domain" label={appFormText.domain} extra={appFormText.domainHint}>
          <Input maxLength={MAX_APP_USERNAME_LENGTH} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      )}
      {isShown('password', fields) && (
        <Form.Item name="password" label={passwordLabel} extra={appFormText.passwordHint}>
          <SecretField
            what={passwordLabel}
            maxLength={MAX_APP_SECRET_LENGTH}
            isStored={app?.has_password ?? false}
            isGoing={hasOtherTarget}
          />
        </Form.Item>
      )}
      {isShown('privateKey', fields) && (
        <Form.Item name="privateKey" label={appFormText.privateKey} extra={appFormText.privateKeyHint}>
          <SecretField
            what={appFormText.privateKey}
            maxLength={MAX_PRIVATE_KEY_LENGTH}
            isStored={app?.has_private_key ?? false}
            isGoing={hasOtherTarget}
            isKey
            extra={(set) => <KeyFileButton onRead={set} />}
          />
        </Form.Item>
      )}
      {isShown('passphrase', fields) && (
        <Form.Item name="passphrase" label={appFormText.passphrase} extra={appFormText.passphraseHint}>
          <SecretField
            what={appFormText.passphrase}
            maxLength={MAX_APP_SECRET_LENGTH}
            isStored={app?.has_passphrase ?? false}
            isGoing={hasOtherTarget}
          />
        </Form.Item>
      )}
    </>
  );
}
