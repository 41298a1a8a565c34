import { CheckCircleFilled, CloseCircleFilled, ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Flex, Spin } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { wechatScanText } from '../../../text/wechat.ts';
import { QrCanvas } from '../../../ui/qr-canvas.tsx';
import { useWallClock } from '../../../ui/use-wall-clock.ts';
import { useWechatScan, type WechatScanState } from './use-wechat-scan.ts';
import { storePendingLogin } from './wechat-note.ts';
import type { WechatCode } from './wechat-flow.ts';
import styles from './wechat-scan.module.css';

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
    <Flex vertical align="center" className={styles.scan ?? ''}>
      <div className={styles.frame}>
        <QrCode state={state} onRefresh={refresh} />
      </div>
      <div role="status" className={styles.words}>
        <Words state={state} />
      </div>
    </Flex>
  );
}

function QrCode({ state, onRefresh }: { state: WechatScanState; onRefresh: () => void }): ReactNode {
  switch (state.type) {
    case 'loading':
    case 'entering':
      return <Spin size="large" />;
    case 'waiting':
      return <QrCanvas text={state.image} label={wechatScanText.qrLabel} />;
    case 'scanned':
      return <CheckCircleFilled className={styles.done} aria-hidden />;
    case 'cancelled':
    case 'expired':
    case 'failed':
      return (
        <Flex vertical align="center" gap={20}>
          <CloseCircleFilled className={styles.stopped} aria-hidden />
          <Button type="primary" icon={<ReloadOutlined aria-hidden />} onClick={onRefresh}>
            {wechatScanText.refresh}
          </Button>
        </Flex>
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
      return <Alert type="error" showIcon title={errorText(state.error)} />;
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
        <Button type="primary" href={image} onClick={() => storePendingLogin(state)} block>
          {wechatScanText.openHere}
        </Button>
      )}
    </>
  );
}
