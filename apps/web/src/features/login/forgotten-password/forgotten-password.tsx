import { type ReactNode, useState } from 'react';
import { forgottenText } from '../../../text/login/join.ts';
import { loginText } from '../../../text/login/login.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainCopyButton } from '../../../ui/plain/plain-copy-button.tsx';
import { PlainTabs } from '../../../ui/plain/plain-tabs.tsx';
import { ForgottenByMail } from './forgotten-by-mail.tsx';
import type { SignInMethodProps } from '../login-deps.ts';
import styles from '../login.module.css';
import { ResetPassword } from './reset-password.tsx';

type Way = 'phone' | 'email';
type ForgottenPasswordProps = Pick<SignInMethodProps, 'deps' | 'site'> & { onDone: () => void; onBack: () => void };

/** The ways to another password that this installation has; the administrator is one in each. */
export function ForgottenPassword({ deps, site, onDone, onBack }: ForgottenPasswordProps) {
  const isOffered: Record<Way, boolean> = { phone: site?.phone_login === true, email: site?.mail_codes === true };
  const ways = (['phone', 'email'] as const).filter((way) => isOffered[way]);
  const [chosen, setChosen] = useState<Way>(ways[0] ?? 'email');
  const forms: Record<Way, ReactNode> = {
    phone: <ResetPassword deps={deps} site={site} onDone={onDone} />,
    email: <ForgottenByMail deps={deps} />,
  };
  return (
    <>
      <h2 className={styles.title}>{forgottenText.title}</h2>
      {ways.length === 1 && forms[chosen]}
      {ways.length > 1 && (
        <PlainTabs
          label={forgottenText.title}
          tabs={ways.map((key) => ({ key, label: forgottenText.ways[key], content: forms[key] }))}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      <div className={styles.administrator}>
        <p>{ways.length === 0 ? forgottenText.ask : forgottenText.orAsk}</p>
        <p>{forgottenText.administrator}</p>
        <div className={styles.command}>
          <code>{forgottenText.command}</code>
          <PlainCopyButton text={forgottenText.command} label={forgottenText.commandLabel} />
        </div>
        <p>{forgottenText.commandHint}</p>
      </div>
      <div className={styles.back}>
        <PlainButton type="link" isBlock onClick={onBack}>
          {loginText.back}
        </PlainButton>
      </div>
    </>
  );
}
