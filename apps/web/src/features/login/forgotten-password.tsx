import { Button, Tabs } from 'antd';
import { useSiteConfig } from '../../api/index.ts';
import { forgottenText } from '../../text/join.ts';
import { loginText } from '../../text/login.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ForgottenByMail } from './forgotten-by-mail.tsx';
import styles from './login.module.css';
import { ResetPassword } from './reset-password.tsx';

type ForgottenPasswordProps = { onDone: () => void; onBack: () => void };

/** The ways to another password that this installation has; the administrator is one in each. */
export function ForgottenPassword({ onDone, onBack }: ForgottenPasswordProps) {
  const site = useSiteConfig();
  const hasPhone = site?.phone_login === true;
  const hasMail = site?.mail_codes === true;
  const tabs = [
    { key: 'phone', isOffered: hasPhone, label: forgottenText.ways.phone, children: <ResetPassword onDone={onDone} /> },
    { key: 'mail', isOffered: hasMail, label: forgottenText.ways.email, children: <ForgottenByMail /> },
  ].filter(({ isOffered }) => isOffered);
  return (
    <>
      <h2 className={styles.title}>{forgottenText.title}</h2>
      {tabs.length === 1 && tabs[0]?.children}
      {tabs.length > 1 && <Tabs items={tabs.map(({ key, label, children }) => ({ key, label, children }))} />}
      <div className={styles.administrator}>
        <p>{tabs.length === 0 ? forgottenText.ask : forgottenText.orAsk}</p>
        <p>{forgottenText.administrator}</p>
        <div className={styles.command}>
          <code>{forgottenText.command}</code>
          <CopyButton text={forgottenText.command} label={forgottenText.command} />
        </div>
        <p>{forgottenText.commandHint}</p>
      </div>
      <Button type="link" block className={styles.back ?? ''} onClick={onBack}>
        {loginText.back}
      </Button>
    </>
  );
}
