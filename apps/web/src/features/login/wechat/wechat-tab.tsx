import type { LoginReply } from '@tongtu/contract';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useApi, useSiteConfig } from '../../../api/index.ts';
import { loginText } from '../../../text/login.ts';
import { wechatScanText } from '../../../text/wechat.ts';
import type { SignInMethodProps } from '../sign-in-methods.ts';
import type { WechatCode } from './wechat-flow.ts';
import { WechatScan } from './wechat-scan.tsx';
import styles from './wechat-scan.module.css';

const TermsDialog = lazy(async () => ({ default: (await import('../terms-dialog.tsx')).TermsDialog }));

/** Logs in with a code of the single sign-on host; a WeChat that has no account gets one. */
function useWechatLogin(aff: string | undefined): (wechat: WechatCode) => Promise<LoginReply> {
  const { call } = useApi();
  return (wechat) => call('POST /custom/login/', { body: { method: 'wechat', ...wechat, accepted_terms: true, aff } });
}

/** The login by WeChat, for installations with a single sign-on host. */
export function WechatTab({ aff, onReply }: SignInMethodProps) {
  const site = useSiteConfig();
  const ssoUrl = site?.sso_url;
  const logIn = useWechatLogin(aff);
  if (typeof ssoUrl !== 'string') return null;
  return (
    <>
      <WechatScan ssoUrl={ssoUrl} onCode={async (code) => await onReply('wechat', await logIn(code))} />
      <Agreement mayJoin={site?.registration === 'open'} />
    </>
  );
}

/** There is no button, so scanning the code accepts the terms. */
function Agreement({ mayJoin }: { mayJoin: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.agreement}>
      {wechatScanText.agreement}
      <Button type="link" size="small" className={styles.terms ?? ''} onClick={() => setIsOpen(true)}>
        {loginText.terms}
      </Button>
      <div>{mayJoin ? wechatScanText.newcomers : wechatScanText.invitedOnly}</div>
      {isOpen && (
        <Suspense fallback={null}>
          <TermsDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
