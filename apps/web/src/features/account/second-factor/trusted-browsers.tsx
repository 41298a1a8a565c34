import { Button } from 'antd';
import type { TrustedBrowser } from '@tongtu/contract';
import { trustedBrowsersText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import { useRemoveTrustedBrowser, useTrustedBrowsers } from './use-trusted-browsers.ts';

/** The browsers in which logins skip the second step; nothing while there is none. */
export function TrustedBrowsers() {
  const { data: browsers = [] } = useTrustedBrowsers();
  if (browsers.length === 0) return null;
  return (
    <SettingRow title={trustedBrowsersText.title} text={trustedBrowsersText.text}>
      <ul className={styles.list} aria-label={trustedBrowsersText.title}>
        {browsers.map((browser) => (
          <OneBrowser key={browser.id} browser={browser} />
        ))}
      </ul>
    </SettingRow>
  );
}

function OneBrowser({ browser }: { browser: TrustedBrowser }) {
  const name = browser.device || trustedBrowsersText.unknownBrowser;
  const toastOutcome = useMutationToast();
  const remove = useRemoveTrustedBrowser();
  return (
    <li>
      <div className={styles.rowAbout}>
        <div className={styles.rowTitle}>
          <bdi>{name}</bdi>
          {browser.is_current && <StateTag tone="good">{trustedBrowsersText.current}</StateTag>}
        </div>
        <div className={`${styles.rowText} ${styles.facts}`}>
          <Mono>{browser.ip}</Mono>
          {browser.place !== '' && <span>{browser.place}</span>}
          <span>
            <RelativeTime {...timeTexts(browser.last_used_at)} />
            {trustedBrowsersText.usedAt}
          </span>
          <span>{trustedBrowsersText.until(momentText(browser.trusted_until))}</span>
        </div>
      </div>
      <Button
        size="small"
        danger
        loading={remove.isPending}
        onClick={() => toastOutcome(remove.mutateAsync(browser.id), trustedBrowsersText.removed)}
        aria-label={trustedBrowsersText.removeLabel(name)}
      >
        {trustedBrowsersText.remove}
      </Button>
    </li>
  );
}
