import { CheckCircleFilled, CloseCircleFilled, ReloadOutlined } from '@ant-design/icons-svg';
import { lazy, type ReactNode, Suspense } from 'react';
import { wechatScanText } from '../../../text/login/wechat.ts';
import { PlainButton, PlainLinkButton } from '../../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { PlainSpinner } from '../../../ui/plain/plain-spinner.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { FormError } from '../form-error.tsx';
import { useWechatScan, type WechatScanState } from './use-wechat-scan.ts';
import { storePendingLogin } from './wechat-note.ts';
import type { WechatCode } from './wechat-flow.ts';
import styles from './wechat-scan.module.css';

/** The library that draws it is as large as the rest of the login. */
const QrCanvas = lazy(async () => ({ default: (await import('../../../ui/copy/qr-canvas.tsx')).QrCanvas }));

type WechatScanProps = {
  /** The address of the single sign-on host (`sso_url` of the site). */
  ssoUrl: string;
  /** Uses the login code, which is valid for 60 s. A failure is shown with a button for a new QR code. */
  onCode: (code: WechatCode) => Promise<void>;
};

/** The QR code to scan with WeChat, and its state; for login and binding. */
export function WechatScan({ ssoUrl, onCode }: WechatScanProps) {
  const { state, refresh } = useWechatScan(ssoUrl, onCode);
  return (
    <div className={styles.scan}>
      <div className={styles.frame}>
        <QrCode state={state} onRefresh={refresh} />
      </div>
      <div role="status" className={styles.words}>
        <Words state={state} />
      </div>
    </div>
  );
}

function QrCode({ state, onRefresh }: { state: WechatScanState; onRefresh: () => void }): ReactNode {
  switch (state.type) {
    case 'loading':
    case 'entering':
      return <PlainSpinner />;
    case 'waiting':
      return (
        <Suspense fallback={<PlainSpinner />}>
          <QrCanvas text={state.image} label={wechatScanText.qrLabel} />
        </Suspense>
      );
    case 'scanned':
      return (
        <span className={styles.done}>
          <PlainIcon of={CheckCircleFilled} />
        </span>
      );
    case 'cancelled':
    case 'expired':
    case 'failed':
      return (
        <div className={styles.stopped}>
          <PlainIcon of={CloseCircleFilled} />
          <PlainButton type="primary" onClick={onRefresh}>
            <PlainIcon of={ReloadOutlined} />
            {wechatScanText.refresh}
          </PlainButton>
        </div>
      );
  }
}

function Words({ state }: { state: WechatScanState }): ReactNode {
  switch (state.type) {
    case 'loading':
    case 'entering':
    case 'cancelled':
    case 'expired':
      return <p>{wechatScanText[state.type]}</p>;
    case 'failed':
      return <FormError error={state.error} />;
    case 'scanned':
      return (
        <>
          <p className={styles.strong}>{wechatScanText.scanned}</p>
          <p>{state.isOffline ? wechatScanText.reconnecting : wechatScanText.scannedHint}</p>
        </>
      );
    case 'waiting':
      return (
        <>
          <p className={styles.strong}>{wechatScanText.hint}</p>
          <p>{state.isOffline ? wechatScanText.reconnecting : <SecondsLeft endsAtMs={state.endsAtMs} />}</p>
          <OtherPhones qrCode={state} />
        </>
      );
  }
}

/** Hidden from screen readers, which would read it every second. */
function SecondsLeft({ endsAtMs }: { endsAtMs: number }) {
  const wallClockMs = useWallClock(1000);
  const seconds = Math.max(0, Math.ceil((endsAtMs - wallClockMs) / 1000));
  return <span aria-hidden>{wechatScanText.secondsLeft(seconds)}</span>;
}

/** For devices without a second one to scan with: a link inside WeChat itself, and a link to the fake WeChat. */
function OtherPhones({ qrCode }: { qrCode: { image: string; state: string; isFake: boolean } }) {
  const { image, state, isFake } = qrCode;
  const isInWechat = /MicroMessenger/i.test(navigator.userAgent);
  return (
    <>
      {isFake && (
        <p className={styles.fakeWechat}>
          {wechatScanText.fakeWechat}
          {!isInWechat && (
            <>
              <br />
              <a href={image} target="_blank" rel="noreferrer">
                {wechatScanText.openFakeWechat}
              </a>
            </>
          )}
        </p>
      )}
      {/* WeChat has a single view: the link replaces the console, which opens again after the decision. */}
      {isInWechat && (
        <PlainLinkButton type="primary" isBlock href={image} onClick={() => storePendingLogin(state)}>
          {wechatScanText.openHere}
        </PlainLinkButton>
      )}
    </>
  );
}
