import type { Membership } from '@tongtu/contract';
import { shownHost, shownUrl } from '../../../address/shown-host.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { mappingText } from '../../../text/devices/mappings.ts';
import { sharedWithMeText } from '../../../text/devices/shared-with-me.ts';
import { timeTexts } from '../../../text/time.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag, type StateTone } from '../../../ui/state-tag.tsx';
import { LeaveButton } from './leave-button.tsx';
import { reasonOf } from './reason-of.ts';
import styles from './shared-with-me.module.css';
import { useLeave } from './use-shared-with-me.ts';

const tones: Partial<Record<Membership['state'], StateTone>> = {
  online: 'good',
  offline: 'bad',
  never_connected: 'caution',
};

function State({ membership }: { membership: Membership }) {
  const { state, since } = membership;
  const reason = reasonOf(membership);
  return (
    <div className={styles.state}>
      <StateTag tone={tones[state] ?? 'muted'}>{sharedWithMeText.states[state]}</StateTag>
      {state === 'offline' && since !== null && (
        <span>
          <RelativeTime {...timeTexts(since)} />
          {devicesText.wentOffline}
        </span>
      )}
      {reason !== '' && <span>{reason}</span>}
    </div>
  );
}

export function MembershipRow({ membership }: { membership: Membership }) {
  const { id, url, owner } = membership;
  const domain = shownHost(membership.domain);
  const leave = useLeave();
  return (
    <li className={styles.row} aria-label={domain}>
      <div className={styles.what}>
        <span className={styles.address}>
          <a href={url} target="_blank" rel="noopener noreferrer" className={styles.link}>
            <Mono>{shownUrl(url)}</Mono>
          </a>
          <CopyButton text={url} label={mappingText.address} />
        </span>
        <span className={styles.owner}>
          {sharedWithMeText.by} <bdi>{owner}</bdi> {sharedWithMeText.shares}
        </span>
      </div>
      <State membership={membership} />
      <LeaveButton shared={{ id, name: domain, owner }} text={sharedWithMeText} leave={leave} />
    </li>
  );
}
