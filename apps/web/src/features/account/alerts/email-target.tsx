import { Alert } from 'antd';
import { Link } from 'react-router';
import { useSiteConfig } from '../../../api/index.ts';
import { alertChannelText, alertFormText } from '../../../text/alerts.ts';
import styles from '../account.module.css';
import { waysIn } from './ways-in.ts';

/** Mail goes to the address that is bound to the account, and nowhere else. */
export function EmailTarget({ email, onLeave }: { email: string; onLeave: () => void }) {
  const canBind = useSiteConfig()?.mail_codes ?? true;
  if (email !== '') return <p className={styles.hint}>{alertFormText.emailTo(email)}</p>;
  if (!canBind) {
    return <Alert type="warning" showIcon title={alertFormText.emailUnavailable} className={styles.notice ?? ''} />;
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={alertFormText.emailMissing}
      action={
        <Link to={waysIn} onClick={onLeave}>
          {alertChannelText.toWaysIn}
        </Link>
      }
      className={styles.notice ?? ''}
    />
  );
}
