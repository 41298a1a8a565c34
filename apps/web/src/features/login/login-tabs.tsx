import { Skeleton, Tabs } from 'antd';
import { type ReactNode, useState } from 'react';
import { useSiteConfigQuery } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { type LoginWay, type LoginWayProps, offeredWays, readLastWay } from './login-ways.ts';
import { PasswordForm } from './password-form.tsx';
import { PhoneForm } from './phone/phone-form.tsx';
import { WechatTab } from './wechat/wechat-tab.tsx';

type LoginTabsProps = LoginWayProps & {
  /** The way to show, when something before has decided it. */
  wanted: LoginWay | undefined;
  onForgotten: () => void;
};

/** The ways in that this installation offers, one at a time. */
export function LoginTabs({ wanted, onForgotten, ...way }: LoginTabsProps) {
  const site = useSiteConfigQuery();
  const isNarrow = useMediaQuery('(width < 880px)');
  const ways = offeredWays(site.data, isNarrow);
  const [chosen, setChosen] = useState<LoginWay | undefined>(wanted);
  const forms: Record<LoginWay, ReactNode> = {
    wechat: <WechatTab {...way} />,
    phone: <PhoneForm {...way} />,
    password: <PasswordForm {...way} onForgotten={onForgotten} />,
  };

  if (site.isPending) return <Skeleton active title={false} paragraph={{ rows: 6 }} aria-label={loginText.loading} />;
  // A server that does not say what it offers may still take a password.
  if (ways.length === 1) return forms.password;
  return (
    <Tabs
      activeKey={chosen ?? readLastWay(ways) ?? ways[0] ?? 'password'}
      onChange={(key) => setChosen(ways.find((name) => name === key))}
      items={ways.map((name) => ({ key: name, label: loginText.ways[name], children: forms[name] }))}
    />
  );
}
