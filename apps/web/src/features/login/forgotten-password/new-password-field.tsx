import { LockOutlined } from '@ant-design/icons-svg';
import { MAX_PASSWORD_LENGTH } from '@tongtu/contract/limits';
import { type RefObject, useState } from 'react';
import { newPasswordText } from '../../../text/login/new-password.ts';
import { PlainField } from '../../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { useFields } from '../../../ui/plain/use-fields.ts';
import { newPasswordProblem } from './new-password-rule.ts';

/** A password that the user chooses. `own` are the known names of the user. */
export function useNewPassword(own: readonly string[]) {
  const { values, report, field } = useFields({ new_password: '' });
  // From the first look at it on, the message follows what is typed.
  const [isReviewed, setIsReviewed] = useState(false);
  const password = values.new_password;
  const problem = newPasswordProblem(password, own);
  const { error, ...input } = field('new_password');

  /** Shows what is wrong with it; true when nothing is. */
  function check(): boolean {
    setIsReviewed(true);
    return problem === undefined;
  }
  return {
    password,
    report,
    check,
    /** For `NewPasswordField`. */
    input: {
      ...input,
      error: error ?? (isReviewed ? problem : undefined),
      onBlur: () => setIsReviewed(isReviewed || password !== ''),
    },
  };
}

type NewPasswordFieldProps = {
  newPassword: ReturnType<typeof useNewPassword>;
  label: string;
  isDisabled: boolean;
  ref?: RefObject<HTMLInputElement | null>;
};

export function NewPasswordField({ newPassword, label, isDisabled, ref }: NewPasswordFieldProps) {
  return (
    <PlainField
      {...newPassword.input}
      {...(ref && { ref })}
      label={label}
      isPassword
      hint={newPasswordText.hint}
      icon={<PlainIcon of={LockOutlined} />}
      maxLength={MAX_PASSWORD_LENGTH}
      autoComplete="new-password"
      readOnly={isDisabled}
    />
  );
}
