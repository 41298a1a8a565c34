import { Button } from 'antd';
import { useSiteConfig } from '../../../../api/index.ts';
import { paths, withQuery } from '../../../../routing/paths.ts';
import { sharedText } from '../../../../text/shared.ts';
import { keysText } from '../../../../text/shop/keys.ts';
import { CopyButton } from '../../../../ui/copy/copy-button.tsx';
import { QrCanvas } from '../../../../ui/copy/qr-canvas.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../../ui/mono.tsx';
import styles from '../keys.module.css';

/** A key as QR code of the address that redeems it. The key is in the fragment, which no server sees. */
export function KeyQrDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const consoleUrl = useSiteConfig()?.console_url ?? window.location.origin;
  const url = new URL(`/#${withQuery(paths.productKeys, { key: text })}`, consoleUrl).href;
  return (
    <Dialog title={keysText.qrTitle} footer={<Button onClick={onClose}>{sharedText.close}</Button>} onClose={onClose}>
      <div className={styles.qr}>
        <QrCanvas text={url} level="M" label={keysText.qrTitle} />
        <span>
          <Mono>{text}</Mono>
          <CopyButton text={text} label={keysText.key} />
        </span>
        <span>{keysText.qrHint}</span>
      </div>
    </Dialog>
  );
}
