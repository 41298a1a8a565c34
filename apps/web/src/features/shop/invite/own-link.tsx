import { Alert } from 'antd';
import type { InvitationAff } from '@tongtu/contract';
import { isLoopbackHost } from '../../../address/public-address.ts';
import { inviteText } from '../../../text/shop/invite.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { QrCanvas } from '../../../ui/copy/qr-canvas.tsx';
import { Mono } from '../../../ui/mono.tsx';
import shopStyles from '../shop.module.css';
import styles from './invite.module.css';

const qrWidthPx = 168;

/** The link and the code to hand on, and what one gets for it. */
export function OwnLink({ aff }: { aff: InvitationAff }) {
  const { link, code, days_per_event: days, monthly_cap: cap } = aff;
  const isLocal = isLoopbackHost(new URL(link).hostname);
  return (
    <section className={shopStyles.panel} aria-labelledby="own-link">
      <h2 id="own-link" className={shopStyles.panelTitle}>
        {inviteText.linkTitle}
      </h2>
      <div className={styles.link}>
        <QrCanvas text={link} width={qrWidthPx} level="M" label={inviteText.qr} />
        <div className={styles.about}>
          {isLocal && <Alert type="warning" showIcon title={inviteText.localLink} />}
          <div className={styles.line}>
            <Mono>{link}</Mono>
            <CopyButton text={link} label={inviteText.link} />
          </div>
          <div className={styles.line}>
            {`${inviteText.code} `}
            <Mono>{code}</Mono>
            <CopyButton text={code} label={inviteText.code} />
          </div>
          <p className={shopStyles.quiet}>{inviteText.linkHint}</p>
        </div>
      </div>
      <h3>{inviteText.rulesTitle}</h3>
      <ul className={shopStyles.terms}>
        <li>{inviteText.joinedRule(days.joined)}</li>
        <li>{inviteText.paidRule(days.paid)}</li>
        <li>{inviteText.claimRule}</li>
        <li>{inviteText.capRule(cap)}</li>
      </ul>
    </section>
  );
}
