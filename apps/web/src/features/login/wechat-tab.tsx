import { Button } from 'antd';
import { useState } from 'react';
import { useSiteConfig } from '../../api/index.ts';
import { loginText } from '../../text/login.ts';
import { wechatScanText } from '../../text/wechat.ts';
import type { SignInMethodProps } from './sign-in-methods.ts';
import { TermsDialog } from './terms-dialog.tsx';
import { useWechatLogin } from './use-wechat-login.ts';
import { WechatScan } from './wechat-scan.tsx';
import styles from './wechat-scan.module.css';

/** The login by WeChat, for installations with a single sign-on host. */
export function WechatTab({ aff, onReply }: SignInMethodProps) {
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

/** There is no button, so scanning the code accepts the terms. */
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
