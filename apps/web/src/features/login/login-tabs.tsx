import { Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useApi, useSiteConfigQuery } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { narrowQuery, useMediaQuery } from '../../ui/use-media-query.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import styles from './login.module.css';
import { firstMethod, type SignInMethod, type SignInMethodProps, offeredMethods } from './sign-in-methods.ts';
import { PasswordForm } from './password-form.tsx';

/** An installation offers them or not, and most people use one. */
const PhoneForm = lazy(async () => ({ default: (await import('./phone/phone-form.tsx')).PhoneForm }));
const WechatTab = lazy(async () => ({ default: (await import('./wechat/wechat-tab.tsx')).WechatTab }));

type LoginTabsProps = SignInMethodProps & {
  /** The method to show first, if something else has decided it. */
  wanted: SignInMethod | undefined;
  onForgotten: () => void;
};

/** The sign-in methods that this installation offers, in tabs. */
export function LoginTabs({ wanted, onForgotten, ...props }: LoginTabsProps) {
  const { call } = useApi();
  const captcha = useCaptcha('login');
  const site = useSiteConfigQuery();
  const isNarrow = useMediaQuery(narrowQuery);
  const methods = offeredMethods(site.data, isNarrow);
  const [chosen, setChosen] = useState<SignInMethod | undefined>(wanted);
  const forms: Record<SignInMethod, ReactNode> = {
    wechat: <WechatTab {...props} />,
    phone: <PhoneForm {...props} />,
    password: (
      <PasswordForm
        call={call}
        captcha={captcha}
        aff={props.aff}
        onReply={(reply) => props.onReply('password', reply)}
        onForgotten={onForgotten}
      >
        {site.data?.has_administrator === false && <p className={styles.hint}>{loginText.firstTime}</p>}
      </PasswordForm>
    ),
  };

  if (site.isPending) return <FormSkeleton />;
  // Even a server that does not list its methods may accept a password.
  if (methods.length === 1) return forms.password;
  return (
    <Tabs
      activeKey={chosen ?? firstMethod(methods)}
      onChange={(key) => setChosen(methods.find((name) => name === key))}
      items={methods.map((name) => ({
        key: name,
        label: loginText.methods[name],
        children: <Suspense fallback={<FormSkeleton />}>{forms[name]}</Suspense>,
      }))}
    />
  );
}
