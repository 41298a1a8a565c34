import { Alert } from 'antd';
import { Link } from 'react-router';
import { alertChannelText, alertFormText } from '../../../../text/account/alerts.ts';
import styles from '../../account.module.css';
import { useHasMail } from '../use-has-mail.ts';
import { signInMethodsPath } from './sign-in-methods-path.ts';

/** Mail goes only to the account's bound address. */
export function EmailTarget({ email, onLeave }: { email: string; onLeave: () => void }) {
  const hasMail = useHasMail();
  if (!hasMail) {
    return <Alert type="warning" showIcon title={alertFormText.emailUnavailable} className={styles.notice ?? ''} />;
  }
  if (email !== '') return <p className={styles.hint}>{alertFormText.emailTo(email)}</p>;
  return (
    <Alert
      type="warning"
      showIcon
      title={alertFormText.emailMissing}
      action={
        <Link to={signInMethodsPath} onClick={onLeave}>
          {alertChannelText.toSignInMethods}
        </Link>
      }
      className={styles.notice ?? ''}
    />
  );
}
