import { UserOutlined } from '@ant-design/icons-svg';
import type { InvitationFacts } from '@tongtu/contract';
import { MAX_USERNAME_LENGTH } from '@tongtu/contract/limits';
import type { SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths, withQuery } from '../../../routing/paths.ts';
import { joinText } from '../../../text/login/join.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainField } from '../../../ui/plain/plain-field.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { useFields } from '../../../ui/plain/use-fields.ts';
import { useFirstFocus } from '../../../ui/plain/use-first-focus.ts';
import { useSending } from '../../../ui/fields/use-sending.ts';
import { useFieldMessages } from '../field-messages.ts';
import { FormError } from '../form-error.tsx';
import styles from '../login.module.css';
import { NewPasswordField, useNewPassword } from '../forgotten-password/new-password-field.tsx';
import { TermsField, useTerms } from '../terms/terms-field.tsx';
import { useEnter, useJoin } from './use-join.ts';

const names = ['username', 'new_password'] as const;
const fieldOfCode = { 'user.name-taken': 'username' } as const;

type JoinFormProps = { token: string; facts: InvitationFacts; aff: string | undefined };

/** Makes an account by an invitation, and logs in. */
export function JoinForm({ token, facts, aff }: JoinFormProps) {
  const { invited_by: inviter, address, can_join: canJoin } = facts;
  const toLogin = (
    <Link to={withQuery(paths.login, { url: `#${paths.join}?token=${token}` })} className={styles.linkBelow ?? ''}>
      {address === '' ? joinText.toLogin : joinText.hasAccount}
    </Link>
  );
  if (!canJoin) {
    return (
      <>
        <h2 className={styles.title}>{joinText.title}</h2>
        <p className={styles.lead}>{joinText.inviteeOnly(inviter, address)}</p>
        {toLogin}
      </>
    );
  }
  return (
    <>
      <h2 className={styles.title}>{joinText.title}</h2>
      <p className={styles.lead}>{address === '' ? joinText.invited(inviter) : joinText.invitedTo(inviter, address)}</p>
      <Account token={token} aff={aff} />
      {address !== '' && toLogin}
    </>
  );
}

function Account({ token, aff }: Pick<JoinFormProps, 'token' | 'aff'>) {
  const navigate = useNavigate();
  const enter = useEnter();
  const join = useJoin();
  const { values, field, check, report } = useFields({ username: '' });
  const username = values.username.trim();
  const newPassword = useNewPassword([username]);
  const terms = useTerms();
  const first = useFirstFocus<HTMLInputElement>();
  const sending = useSending(
    async () => {
      // A link is used once; what failed after that is tried again alone.
      if (!join.isSuccess)
        await join.mutateAsync({ token, username, new_password: newPassword.password, aff, accepted_terms: true });
      await enter();
      await navigate(paths.home, { replace: true });
    },
    { staysPending: true },
  );
  const failure = useFieldMessages({
    error: sending.error,
    fieldOfCode,
    names,
    report: ({ username: ofName, new_password: ofPassword }) => {
      report({ username: ofName });
      newPassword.report({ new_password: ofPassword });
    },
  });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const isNamed = check({ username: username === '' ? joinText.usernameRequired : undefined });
    const isStrong = newPassword.check();
    const hasAgreed = terms.check();
    if (isNamed && isStrong && hasAgreed) void sending.submit(undefined);
  }
  return (
    <form onSubmit={submit} noValidate aria-busy={sending.isPending}>
      <PlainField
        {...field('username')}
        ref={first}
        label={joinText.username}
        hint={joinText.usernameHint}
        icon={<PlainIcon of={UserOutlined} />}
        maxLength={MAX_USERNAME_LENGTH}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={sending.isPending}
      />
      <NewPasswordField newPassword={newPassword} label={joinText.password} isDisabled={sending.isPending} />
      <TermsField terms={terms} isDisabled={sending.isPending} />
      <FormError error={failure} />
      <PlainButton type="primary" isLarge isBlock isSubmit isLoading={sending.isPending}>
        {joinText.submit}
      </PlainButton>
    </form>
  );
}
