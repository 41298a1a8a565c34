import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorCode, errorText, isLoggedIn, useProfile } from '../../../api/index.ts';
import { paths } from '../../../routing/paths.ts';
import { joinText } from '../../../text/login/join.ts';
import { sharedText } from '../../../text/shared.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainNotice } from '../../../ui/plain/plain-notice.tsx';
import { PlainSpinner } from '../../../ui/plain/plain-spinner.tsx';
import { WelcomeFrame } from '../login-frame.tsx';
import styles from '../login.module.css';
import { AcceptInvitation } from './accept-invitation.tsx';
import { ChoosePassword } from './choose-password.tsx';
import { JoinForm } from './join-form.tsx';
import { useInvitationFacts } from './use-join.ts';

/** Where one-time links lead: an account is made, an invitation accepted, or a password chosen. */
export function JoinPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const aff = search.get('aff') || undefined;
  return (
    <WelcomeFrame label={joinText.title}>
      <JoinCard token={token} aff={aff} />
    </WelcomeFrame>
  );
}

function JoinCard({ token, aff }: { token: string; aff: string | undefined }) {
  const { data: facts, error, isPending, refetch } = useInvitationFacts(token);
  const profile = useProfile();
  const [isOther, setIsOther] = useState(false);
  if (token === '') return <Invalid text={joinText.missing} />;
  // No token has another form: a part of the link was not copied.
  if (errorCode(error) === 'request.invalid') return <Invalid text={joinText.missing} />;
  if (errorCode(error) === 'invitation.not-found') return <Invalid text={errorText(error)} />;
  if (error) return <Invalid text={errorText(error)} onRetry={() => void refetch()} />;
  if (isPending) {
    return (
      <div className={styles.loading} role="status" aria-label={joinText.loading}>
        <PlainSpinner />
      </div>
    );
  }
  if (facts.purpose === 'password') return <ChoosePassword token={token} username={facts.username} />;
  if (isLoggedIn(profile) && !isOther) {
    const onOther = facts.can_join && facts.address !== '' ? () => setIsOther(true) : undefined;
    return <AcceptInvitation token={token} facts={facts} username={profile.username} onOther={onOther} />;
  }
  return <JoinForm token={token} facts={facts} aff={aff} />;
}

function Invalid({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <>
      <h2 className={styles.title}>{joinText.invalidTitle}</h2>
      <PlainNotice type="error" text={text} />
      {onRetry && (
        <PlainButton isBlock onClick={onRetry}>
          {sharedText.retry}
        </PlainButton>
      )}
      <Link to={paths.login} className={styles.linkBelow ?? ''}>
        {joinText.toLogin}
      </Link>
    </>
  );
}
