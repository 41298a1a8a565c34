import { type ReactNode, useState } from 'react';
import { loginText } from '../../text/login/login.ts';
import { passwordFormText } from '../../text/login/password-form.ts';
import { PlainTabs } from '../../ui/plain/plain-tabs.tsx';
import { narrowQuery, useMediaQuery } from '../../ui/use-media-query.ts';
import type { SignInMethodProps } from './login-deps.ts';
import styles from './login.module.css';
import { PasswordForm } from './password-form.tsx';
import { PhoneForm } from './phone/phone-form.tsx';
import { firstMethod, offeredMethods, type SignInMethod } from './sign-in-methods.ts';
import { WechatTab } from './wechat/wechat-tab.tsx';

type LoginTabsProps = SignInMethodProps & {
  /** The method to show first, if something else has decided it. */
  wanted: SignInMethod | undefined;
  onForgotten: () => void;
};

/** The sign-in methods that this installation offers, in tabs. */
export function LoginTabs({ wanted, onForgotten, ...props }: LoginTabsProps) {
  const { deps, site, aff, onReply } = props;
  const isNarrow = useMediaQuery(narrowQuery);
  const methods = offeredMethods(site, isNarrow);
  const [chosen, setChosen] = useState<SignInMethod | undefined>(wanted);
  const forms: Record<SignInMethod, ReactNode> = {
    wechat: <WechatTab {...props} />,
    phone: <PhoneForm {...props} />,
    password: (
      <PasswordForm deps={deps} aff={aff} onReply={(reply) => onReply('password', reply)} onForgotten={onForgotten}>
        {site?.has_administrator === false && <p className={styles.hint}>{loginText.firstTime}</p>}
      </PasswordForm>
    ),
  };

  // Even a server that does not list its methods may accept a password.
  if (methods.length === 1) return forms.password;
  return (
    <PlainTabs
      label={loginText.tabs}
      tabs={methods.map((key) => ({ key, label: passwordFormText.methods[key], content: forms[key] }))}
      chosen={chosen ?? firstMethod(methods)}
      onChoose={setChosen}
    />
  );
}
