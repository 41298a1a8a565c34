import type { AlertChannel } from '@tongtu/contract';
import { Link } from 'react-router';
import { alertChannelText } from '../../../text/account/alerts.ts';
import { timeTexts } from '../../../text/time.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import styles from '../account.module.css';
import { failureSentence } from './failure-sentence.ts';
import { useHasMail } from './use-has-mail.ts';
import { signInMethodsPath } from './channel-form/sign-in-methods-path.ts';

/** The result of the channel's latest delivery. */
export function LastResult({
  channel: { kind, last_failure: failure, last_sent_at: sentAt },
}: {
  channel: AlertChannel;
}) {
  const hasMail = useHasMail();
  if (kind === 'email' && !hasMail) {
    // Whatever the last result was, the next message will not arrive.
    return <div className={styles.failed}>{failureSentence(kind, 'mail_unavailable')}</div>;
  }
  if (failure !== null) {
    return (
      <div className={styles.failed}>
        <RelativeTime {...timeTexts(failure.at)} />
        {alertChannelText.failedBecause(failureSentence(kind, failure.why))}
        {failure.why === 'email_missing' && <Link to={signInMethodsPath}>{alertChannelText.toSignInMethods}</Link>}
      </div>
    );
  }
  if (sentAt === null) return <div>{alertChannelText.neverSent}</div>;
  return (
    <div>
      {`${alertChannelText.lastSent} `}
      <RelativeTime {...timeTexts(sentAt)} />
    </div>
  );
}
