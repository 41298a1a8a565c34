import { Button } from 'antd';
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
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
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

function LeaveButton({ membership: { id, domain: host, owner } }: { membership: Membership }) {
  const domain = shownHost(host);
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const { mutateAsync, isPending } = useLeave();
  const confirmLeave = () =>
    confirm({
      title: sharedWithMeText.leaveTitle(domain),
      text: sharedWithMeText.leaveText(owner),
      confirm: sharedWithMeText.leave,
      onConfirm: () => toastOutcome(mutateAsync(id), sharedWithMeText.left(domain)),
    });
  return (
    <Button
      type="text"
      size="small"
      loading={isPending}
      onClick={confirmLeave}
      aria-label={sharedWithMeText.leaveLabel(domain)}
    >
      {sharedWithMeText.leave}
    </Button>
  );
}

export function MembershipRow({ membership }: { membership: Membership }) {
  const { url, domain, owner } = membership;
  return (
    <li className={styles.row} aria-label={shownHost(domain)}>
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
      <LeaveButton membership={membership} />
    </li>
  );
}
