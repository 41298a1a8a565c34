import { Button } from 'antd';
import type { Order } from '@tongtu/contract';
import { payText, providerWords } from '../../../text/shop/orders.ts';
import { QrCanvas } from '../../../ui/copy/qr-canvas.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { useMediaQuery } from '../../../ui/use-media-query.ts';
import styles from './pay.module.css';

const tickMs = 1_000;
/** Somebody who reads this on a phone cannot scan its screen. */
const phone = '(pointer: coarse) and (max-width: 767.98px)';

type PayCodeProps = { pay: NonNullable<Order['pay']>; onRefresh: () => void };

/** The QR code of a provider, and how long it can be scanned. */
export function PayCode({ pay, onRefresh }: PayCodeProps) {
  const wallClockMs = useWallClock(tickMs);
  const isPhone = useMediaQuery(phone);
  const secondsLeft = Math.max(0, Math.ceil((Date.parse(pay.expires_at) - wallClockMs) / 1000));
  const provider = providerWords[pay.provider];
  if (secondsLeft === 0)
    return (
      <div className={styles.expired} role="status">
        <span>{payText.expired}</span>
        <Button type="primary" onClick={onRefresh}>
          {payText.refresh}
        </Button>
      </div>
    );
  return (
    <div className={styles.code}>
      <QrCanvas text={pay.qr_text} label={payText.qr(provider)} />
      <strong>{payText.scan(provider)}</strong>
      {/* A count-down that is read aloud every second would hide everything else. */}
      <span className={styles.quiet} aria-live="off">
        {payText.expiresIn(clockText(secondsLeft))}
      </span>
      <span className={styles.quiet}>{payText.waiting}</span>
      {isPhone && <OnPhone pay={pay} />}
      <Button type="link" size="small" onClick={onRefresh}>
        {payText.refresh}
      </Button>
    </div>
  );
}

function OnPhone({ pay }: { pay: PayCodeProps['pay'] }) {
  if (pay.provider === 'wechat') return <span className={styles.quiet}>{payText.wechatOnPhone}</span>;
  // The text comes from the provider through our server; only a web address may become a link.
  if (!pay.qr_text.startsWith('https://')) return null;
  return (
    <span>
      {payText.onPhone}
      <a href={pay.qr_text} target="_blank" rel="noreferrer">
        {payText.openAlipay}
      </a>
    </span>
  );
}

/** `4:07`, `1:00:00` */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
