import { LoadingOutlined } from '@ant-design/icons';
import { useMemo, useState } from 'react';
import { downloadsText, speedText } from '../../../text/cloud-apps/downloads.ts';
import type { AppScreenProps } from '../app-screen.ts';
import connectingStyles from '../connecting/connecting.module.css';
import { IdleNotice } from '../connecting/idle-notice.tsx';
import { LoginPanel } from '../connecting/login-panel.tsx';
import { useTargetLogin } from '../connecting/use-target-login.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { createDownloadsClient } from './downloads-client.ts';
import styles from './downloads.module.css';
import { ChoiceBar } from './list/choice-bar.tsx';
import { DownloadRow } from './list/download-row.tsx';
import { InsteadOfDownloads } from './list/instead-of-downloads.tsx';
import listStyles from './list/list.module.css';
import { countGroups, type DownloadGroup, shownDownloads } from './list/shown-downloads.ts';
import { DownloadsToolbar } from './toolbar.tsx';
import { useDownloadActions } from './use-download-actions.tsx';
import { useDownloads } from './use-downloads.ts';

const words = { password: downloadsText.secret, refused: downloadsText.secretRefused };

/** The downloads of an aria2 in the device's network. */
export function DownloadsScreen({ session, notice, onEnded }: AppScreenProps) {
  const client = useMemo(() => createDownloadsClient(session), [session]);
  const connection = useTargetLogin(client, session.app);
  const { stage, connect } = connection;
  const isConnected = stage.type === 'connected';
  const live = useDownloads({ session, isConnected, onEnded, onLoginNeeded: () => void connect({}) });
  const [group, setGroup] = useState<DownloadGroup>('all');
  const [filter, setFilter] = useState('');
  const all = live.list?.downloads ?? [];
  const shown = shownDownloads(all, group, filter);
  const { actions, forAll, dialog } = useDownloadActions({
    ...{ client, live },
    folder: isConnected ? stage.path : '',
    noticeError: connection.noticeError,
  });

  return (
    <ScreenFrame
      app={session.app}
      tools={live.list && <Speeds down={live.list.download_speed} up={live.list.upload_speed} />}
      notices={
        <>
          {notice}
          {!notice && <TroubleNotice isCut={live.isCut} failure={isConnected ? live.failure : undefined} />}
          {live.warning && <IdleNotice key={live.warning.number} seconds={live.warning.seconds} onStay={live.stay} />}
        </>
      }
    >
      <div className={styles.screen}>
        <DownloadsToolbar downloads={all} forAll={forAll} />
        <ChoiceBar counts={countGroups(all)} {...{ group, setGroup, filter, setFilter }} />
        {shown.length > 0 ? (
          <ul className={listStyles.list} aria-label={downloadsText.list}>
            {shown.map((download) => (
              <DownloadRow key={download.id} download={download} actions={actions} />
            ))}
          </ul>
        ) : (
          <InsteadOfDownloads
            isLoading={live.list === undefined}
            isEmpty={all.length === 0}
            group={group}
            isFiltered={filter.trim() !== ''}
            onAdd={forAll.add}
            onClearFilter={() => setFilter('')}
          />
        )}
        {live.list !== undefined && live.list.left_out > 0 && (
          <p className={styles.leftOut}>{downloadsText.leftOut(live.list.left_out)}</p>
        )}
        <LoginPanel connection={connection} app={session.app} words={words} />
      </div>
      {dialog}
    </ScreenFrame>
  );
}

/** Of all downloads together. */
function Speeds({ down, up }: { down: number; up: number }) {
  return (
    <span className={styles.speeds} role="img" aria-label={downloadsText.speeds(down, up)}>
      <span aria-hidden>↓ {speedText(down)}</span>
      <span aria-hidden>↑ {speedText(up)}</span>
    </span>
  );
}

/** What is shown is not of now. It is tried again by itself. */
function TroubleNotice({ isCut, failure }: { isCut: boolean; failure: string | undefined }) {
  if (!isCut && failure === undefined) return null;
  return (
    <div className={connectingStyles.line} role="status">
      <LoadingOutlined aria-hidden />
      <span className={connectingStyles.lineText}>
        {isCut || failure === undefined ? downloadsText.cut : downloadsText.targetFailed(failure)}
      </span>
    </div>
  );
}
