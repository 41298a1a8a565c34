import { Alert } from 'antd';
import { CopyButton } from './copy-button.tsx';
import { Mono } from '../mono.tsx';
import { QrCanvas } from './qr-canvas.tsx';
import { uiText } from '../ui-text.ts';
import styles from '../ui.module.css';

type OneTimeLinkProps = {
  url: string;
  /** What the link is, for screen readers. */
  label: string;
  /** How long it can be used, and that it is not shown again. */
  note: string;
  /** Nobody else can open it. */
  isLocal: boolean;
};

/** A link that is handed over to somebody, as text to copy and as QR code. */
export function OneTimeLink({ url, label, note, isLocal }: OneTimeLinkProps) {
  return (
    <figure className={styles.oneTimeLink}>
      {isLocal && <Alert type="warning" showIcon title={uiText.localLink} />}
      <QrCanvas text={url} label={`${label}的二维码`} width={176} />
      <div className={styles.linkLine}>
        <Mono>{url}</Mono>
        <CopyButton text={url} label={label} />
      </div>
      <figcaption>{note}</figcaption>
    </figure>
  );
}
