import { wechatScanText } from '../../../text/login/wechat.ts';
import type { SignInMethodProps } from '../login-deps.ts';
import { TermsLink } from '../terms/terms-field.tsx';
import type { WechatCode } from './wechat-flow.ts';
import { WechatScan } from './wechat-scan.tsx';
import styles from './wechat-scan.module.css';

/** The login by WeChat, for installations with a single sign-on host. A WeChat that has no account gets one. */
export function WechatTab({ deps, site, aff, onReply }: SignInMethodProps) {
  const ssoUrl = site?.sso_url;
  if (typeof ssoUrl !== 'string') return null;
  async function logIn(wechat: WechatCode) {
    const body = { method: 'wechat', ...wechat, accepted_terms: true, aff } as const;
    onReply('wechat', await deps.call('POST /custom/login/', { body }));
  }
  return (
    <>
      <WechatScan ssoUrl={ssoUrl} onCode={logIn} />
      {/* There is no button, so scanning the code accepts the terms. */}
      <div className={styles.agreement}>
        {wechatScanText.agreement}
        <TermsLink />
        <div>{site?.registration === 'open' ? wechatScanText.newcomers : wechatScanText.invitedOnly}</div>
      </div>
    </>
  );
}
