import { CheckCircleFilled, CloseCircleFilled, ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Flex, Spin } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { wechatScanText } from '../../../text/wechat.ts';
import { QrCanvas } from '../../../ui/qr-canvas.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { useWechatScan, type WechatScanState } from './use-wechat-scan.ts';
import { noteLeaving } from './wechat-note.ts';
import type { WechatCode } from './wechat-flow.ts';
import styles from './wechat-scan.module.css';

type WechatScanProps = {
  /** Where the single sign-on host is reached (`sso_url` of the site). */
  ssoUrl: string;
  /** Uses the code, for which there are 60 s. What it throws is shown, with the offer of another picture. */
  onCode: (code: WechatCode) => Promise<void>;
};

/** The picture to scan with WeChat, and what becomes of it: for logging in and for binding. */
export function WechatScan({ ssoUrl, onCode }: WechatScanProps) {
  const { state, refresh } = useWechatScan(ssoUrl, onCode);
  return (
    <Flex vertical align="center" className={styles.scan ?? ''}>
      <div className={styles.frame}>
        <Picture state={state} onRefresh={refresh} />
      </div>
      <div role="status" className={styles.words}>
        <Words state={state} />
      </div>
    </Flex>
  );
}

function Picture({ state, onRefresh }: { state: WechatScanState; onRefresh: () => void }): ReactNode {
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
          <OtherPhones picture={state} />
        </>
      );
  }
}

/** Nobody has it read to them every second. */
function SecondsLeft({ endsAtMs }: { endsAtMs: number }) {
  const nowMs = useNow(1000);
  const seconds = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000));
  return <span aria-hidden>{wechatScanText.secondsLeft(seconds)}</span>;
}

/** Where there is no second device to scan with: inside WeChat itself, and where WeChat is imitated. */
function OtherPhones({ picture }: { picture: { image: string; state: string; isStandIn: boolean } }) {
  const { image, state, isStandIn } = picture;
  const isInWechat = /MicroMessenger/i.test(navigator.userAgent);
  return (
    <>
      {isStandIn && (
        <p className={styles.standIn}>
          {wechatScanText.standIn}
          {!isInWechat && (
            <>
              <br />
              <a href={image} target="_blank" rel="noreferrer">
                {wechatScanText.openStandIn}
              </a>
            </>
          )}
        </p>
      )}
      {/* WeChat has a single view: this page is left, and comes back when it is decided. */}
      {isInWechat && (
        <Button type="primary" href={image} onClick={() => noteLeaving(state)} block>
          {wechatScanText.openHere}
        </Button>
      )}
    </>
  );
}
