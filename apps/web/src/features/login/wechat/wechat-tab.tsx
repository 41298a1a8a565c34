import type { LoginReply } from '@tongtu/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useApi, useSiteConfig } from '../../../api/index.ts';
import { loginText } from '../../../text/login.ts';
import { wechatScanText } from '../../../text/wechat.ts';
import type { LoginWayProps } from '../login-ways.ts';
import { TermsDialog } from '../terms-dialog.tsx';
import type { WechatCode } from './wechat-flow.ts';
import { WechatScan } from './wechat-scan.tsx';
import styles from './wechat-scan.module.css';

/** Logs in with a code of the single sign-on host; a WeChat that has no account gets one. */
function useWechatLogin(aff: string | undefined): (wechat: WechatCode) => Promise<LoginReply> {
  const { call } = useApi();
  return (wechat) => call('POST /custom/login/', { body: { method: 'wechat', ...wechat, accepted_terms: true, aff } });
}

/** Logs in by WeChat, where the site has a single sign-on host. */
export function WechatTab({ aff, onReply }: LoginWayProps) {
  const ssoUrl = useSiteConfig()?.sso_url;
  const logIn = useWechatLogin(aff);
  if (typeof ssoUrl !== 'string') return null;
  return (
    <>
      <WechatScan ssoUrl={ssoUrl} onCode={async (code) => await onReply('wechat', await logIn(code))} />
      <Agreement />
    </>
  );
}

/** There is nothing to press here, so scanning is what agrees. */
function Agreement() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.agreement}>
      {wechatScanText.agreement}
      <Button type="link" size="small" className={styles.terms ?? ''} onClick={() => setIsOpen(true)}>
        {loginText.terms}
      </Button>
      <div>{wechatScanText.newcomers}</div>
      <TermsDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </div>
  );
}
