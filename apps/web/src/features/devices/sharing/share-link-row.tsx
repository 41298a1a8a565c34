import { QrcodeOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ListedShareLink } from '@tongtu/contract';
import { useState } from 'react';
import { isLoopbackHost } from '../../../address/public-address.ts';
import { visibleName } from '../../../text/devices/names.ts';
import { sharingText } from '../../../text/devices/sharing.ts';
import { momentText } from '../../../text/moment-text.ts';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { QrCanvas } from '../../../ui/copy/qr-canvas.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import styles from './sharing.module.css';
import { useRevokeShareLink, useShowShareLink } from './use-sharing.ts';

/** Whether a link is still valid, or why not. */
function shareStateOf(link: ListedShareLink, wallClockMs: number): 'active' | 'expired' | 'used_up' | 'revoked' {
  if (link.revoked_at !== null) return 'revoked';
  if (Date.parse(link.expires_at) <= wallClockMs) return 'expired';
  return link.max_uses !== null && link.uses >= link.max_uses ? 'used_up' : 'active';
}

const agedEveryMs = 10_000;

type ShareLinkRowProps = {
  link: ListedShareLink;
  mappingId: number;
  /** Whether the link was just created, so that its owner wants to send it now. */
  isFresh: boolean;
};

function useRevoke({ link, mappingId }: ShareLinkRowProps, label: string) {
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const { mutateAsync, isPending } = useRevokeShareLink(mappingId);
  const revoke = () =>
    confirm({
      title: sharingText.revokeTitle(label),
      text: sharingText.revokeText,
      confirm: sharingText.revoke,
      onConfirm: () => toastOutcome(mutateAsync(link.id), sharingText.revoked),
    });
  return { revoke, isRevoking: isPending };
}

function ShowButton({ link, mappingId, label }: ShareLinkRowProps & { label: string }) {
  const { mutateAsync, isPending } = useShowShareLink(mappingId);
  const toastFailure = useFailureToast();
  return (
    <Button
      size="small"
      loading={isPending}
      onClick={() => void mutateAsync(link.id).catch(toastFailure)}
      aria-label={sharingText.showLinkLabel(label)}
    >
      {sharingText.showLink}
    </Button>
  );
}

function LinkQr({ url, label }: { url: string; label: string }) {
  // The address that it leads to is below the same name.
  const isLocal = isLoopbackHost(new URL(url).hostname);
  return (
    <figure className={styles.qr}>
      <QrCanvas text={url} label={sharingText.qrLabel(label)} />
      <figcaption>{isLocal ? sharingText.localShare : sharingText.scan}</figcaption>
    </figure>
  );
}

export function ShareLinkRow(props: ShareLinkRowProps) {
  const { link, isFresh } = props;
  const [chosen, setChosen] = useState<boolean>();
  // The list may show the link before the reply says that it is the one just created.
  const isQrShown = chosen ?? isFresh;
  const label = visibleName(link.label, sharingText.unnamed);
  const { revoke, isRevoking } = useRevoke(props, label);
  const state = shareStateOf(link, useWallClock(agedEveryMs));
  const isActive = state === 'active';
  return (
    <li className={styles.item} data-state={state} aria-label={label}>
      <div className={styles.itemHead}>
        <bdi className={styles.itemTitle}>{label}</bdi>
        <StateTag tone={isActive ? 'good' : 'muted'}>{sharingText.state[state]}</StateTag>
      </div>
      <div className={styles.facts}>
        <span>{sharingText.until(momentText(link.expires_at))}</span>
        <span>{sharingText.uses(link.uses, link.max_uses)}</span>
      </div>
      {isActive && (
        <>
          {link.url !== null && (
            <div className={styles.address}>
              <Mono>{link.url}</Mono>
              <CopyButton text={link.url} label={sharingText.link} />
            </div>
          )}
          <div className={styles.actions}>
            {link.url === null ? (
              <ShowButton {...props} label={label} />
            ) : (
              <Button
                size="small"
                icon={<QrcodeOutlined aria-hidden />}
                aria-expanded={isQrShown}
                onClick={() => setChosen(!isQrShown)}
              >
                {isQrShown ? sharingText.hideQr : sharingText.showQr}
              </Button>
            )}
            <Button
              size="small"
              danger
              loading={isRevoking}
              onClick={revoke}
              aria-label={sharingText.revokeLabel(label)}
            >
              {sharingText.revoke}
            </Button>
          </div>
          {isQrShown && link.url !== null && <LinkQr url={link.url} label={label} />}
        </>
      )}
    </li>
  );
}
