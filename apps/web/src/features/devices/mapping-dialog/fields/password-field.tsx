import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Button, Form, type FormInstance } from 'antd';
import { MAX_ACCESS_PASSWORD_LENGTH, MIN_ACCESS_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { useState } from 'react';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { CopyButton } from '../../../../ui/copy/copy-button.tsx';
import { plainText } from '../../../../ui/plain/plain-text.ts';
import { DescribedInput } from './described-input.tsx';
import styles from '../mapping-dialog.module.css';
import type { MappingFields } from '../mapping-fields.ts';

/** Without characters that are easily confused: 0 and o, 1 and l. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const passwordLength = 12;

/** Generates a password of 60 random bits that is easy to read out. */
function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(passwordLength));
  // 32 letters divide the 256 values of a byte evenly, so all are equally likely.
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}

type PasswordFieldProps = { form: FormInstance<MappingFields>; password: string; hasPassword: boolean };

/** The access password. The current one is never shown; it can only be replaced. */
export function PasswordField({ form, password, hasPassword }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const toggle = isShown ? plainText.hide(mappingFormText.password) : plainText.reveal(mappingFormText.password);

  async function checkPresence(_rule: unknown, typed: string): Promise<void> {
    if (typed === '' && !hasPassword) throw new Error(mappingFormText.passwordRequired);
  }

  async function checkLength(_rule: unknown, typed: string): Promise<void> {
    if (typed !== '' && typed.length < MIN_ACCESS_PASSWORD_LENGTH)
      throw new Error(mappingFormText.passwordTooShort(MIN_ACCESS_PASSWORD_LENGTH));
  }

  function generate() {
    form.setFieldsValue({ password: generatePassword() });
    void form.validateFields(['password']).catch(() => undefined); // the field shows it
    setIsShown(true);
  }

  return (
    <Form.Item
      label={mappingFormText.password}
      htmlFor="password"
      extra={
        <span id="password-hint" className={styles.fieldHint}>
          {mappingFormText.passwordHint}
          {hasPassword && mappingFormText.passwordChange}
        </span>
      }
    >
      <div className={styles.password}>
        <Form.Item
          name="password"
          noStyle
          validateTrigger={['onBlur']}
          rules={[{ validator: checkPresence, validateTrigger: 'onSubmit' }, { validator: checkLength }]}
        >
          <DescribedInput
            hintId="password-hint"
            id="password"
            type={isShown ? 'text' : 'password'}
            maxLength={MAX_ACCESS_PASSWORD_LENGTH}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={hasPassword ? mappingFormText.passwordKept : ''}
          />
        </Form.Item>
        <Button
          type="text"
          icon={isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          onClick={() => setIsShown(!isShown)}
          aria-label={toggle}
          aria-pressed={isShown}
          title={toggle}
        />
        {password !== '' && <CopyButton text={password} label={mappingFormText.password} size="middle" />}
        <Button onClick={generate}>{mappingFormText.generatePassword}</Button>
      </div>
    </Form.Item>
  );
}
