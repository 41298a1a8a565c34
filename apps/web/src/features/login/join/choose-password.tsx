import type { SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../routing/paths.ts';
import { joinText } from '../../../text/login/join.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';
import { useFieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { NewPasswordField, useNewPassword } from '../forgotten-password/new-password-field.tsx';
import { useChoosePassword } from './use-join.ts';

const names = ['new_password'] as const;

type ChoosePasswordProps = { token: string; username: string };

/** Sets the password of the link's account. */
export function ChoosePassword({ token, username }: ChoosePasswordProps) {
  const navigate = useNavigate();
  const choose = useChoosePassword();
  const newPassword = useNewPassword([username]);
  const failure = useFieldMessages({ error: choose.error, names, report: newPassword.report });
  const first = useFirstFocus<HTMLInputElement>();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (newPassword.check() && !choose.isPending) choose.mutate({ token, new_password: newPassword.password });
  }
  if (choose.isSuccess) {
    return (
      <div role="status">
        <h2 className={styles.title}>{joinText.done}</h2>
        <p className={styles.lead}>{joinText.doneHint(username)}</p>
        <PlainButton type="primary" isLarge isBlock onClick={() => void navigate(paths.login, { replace: true })}>
          {joinText.toLogin}
        </PlainButton>
      </div>
    );
  }
  return (
    <>
      <h2 className={styles.title}>{joinText.passwordTitle}</h2>
      <p className={styles.lead}>{joinText.choose(username)}</p>
      <form onSubmit={submit} noValidate aria-busy={choose.isPending}>
        {/* Password managers store the password under this name. */}
        <input type="text" hidden readOnly autoComplete="username" value={username} />
        <NewPasswordField
          newPassword={newPassword}
          ref={first}
          label={joinText.newPassword}
          isDisabled={choose.isPending}
        />
        <FormError error={failure} />
        <PlainButton type="primary" isLarge isBlock isSubmit isLoading={choose.isPending}>
          {joinText.setPassword}
        </PlainButton>
      </form>
    </>
  );
}
