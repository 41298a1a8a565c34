import { CaretRightOutlined, CloseOutlined, DeleteOutlined, PauseOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, type ButtonProps } from 'antd';
import type { Download } from '@tongtu/contract';
import { memo } from 'react';
import { aria2ErrorText } from '../../../../text/cloud-apps/aria2-errors.ts';
import { downloadName, downloadsText, speedText, timeLeftText } from '../../../../text/cloud-apps/downloads.ts';
import { Mono } from '../../../../ui/mono.tsx';
import { StateTag, type StateTone } from '../../../../ui/state-tag.tsx';
import type { DownloadActions } from './download-actions.ts';
import styles from './list.module.css';
import { percentOf, ProgressBar } from './progress-bar.tsx';

type DownloadRowProps = { download: Download; actions: DownloadActions };

/** One download. It is drawn again only when it has changed: there may be thousands. */
export const DownloadRow = memo(function DownloadRow({ download, actions }: DownloadRowProps) {
  const name = downloadName(download);
  const { tone, word, bar } = stateOf(download);
  const { total_bytes: total, completed_bytes: done } = download;
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <button type="button" className={styles.name} title={name} onClick={() => actions.open(download)}>
          <bdi>{name}</bdi>
        </button>
        <Actions download={download} name={name} actions={actions} />
      </div>
      {total > 0 && download.status !== 'complete' && (
        <ProgressBar label={downloadsText.progressOf(name)} done={done} total={total} tone={bar} />
      )}
      <div className={styles.facts}>
        <StateTag tone={tone}>{word}</StateTag>
        {factsOf(download).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </div>
      {download.status === 'error' && (
        <p className={styles.error}>
          {aria2ErrorText(download.error_code) ?? (
            <>
              {downloadsText.unknownError} <Mono>{download.error_message}</Mono>
            </>
          )}
        </p>
      )}
    </li>
  );
});

/** What is said beside the state. No two of them are the same text. */
function factsOf(download: Download): string[] {
  const { total_bytes: total, completed_bytes: done, status } = download;
  const amount = downloadsText.amount(done, status === 'complete' ? 0 : total);
  if (status === 'complete') return [amount];
  const percent = total > 0 ? [`${percentOf(done, total)}%`] : [];
  if (status !== 'active') return [amount, ...percent];
  const left = timeLeftText(total - done, download.download_speed);
  return [
    amount,
    ...percent,
    ...(download.is_seeding ? [] : [`↓ ${speedText(download.download_speed)}`]),
    ...(download.is_torrent ? [`↑ ${speedText(download.upload_speed)}`] : []),
    ...(left === undefined ? [] : [downloadsText.left(left)]),
    downloadsText.connections(download.connections),
    ...(download.is_seeding ? [downloadsText.uploaded(download.uploaded_bytes)] : []),
    ...(download.is_seeding || download.seeders === null ? [] : [downloadsText.seeders(download.seeders)]),
  ];
}

type State = { tone: StateTone; word: string; bar: 'running' | 'resting' | 'done' | 'failed' };

function stateOf({ status, is_seeding: isSeeding, is_metadata: isMetadata }: Download): State {
  const { states } = downloadsText;
  switch (status) {
    case 'active':
      if (isSeeding) return { tone: 'good', word: states.seeding, bar: 'done' };
      return { tone: 'good', word: isMetadata ? states.metadata : states.active, bar: 'running' };
    case 'waiting':
      return { tone: 'muted', word: states.waiting, bar: 'resting' };
    case 'paused':
      return { tone: 'caution', word: states.paused, bar: 'resting' };
    case 'complete':
      return { tone: 'good', word: states.complete, bar: 'done' };
    case 'error':
      return { tone: 'bad', word: states.error, bar: 'failed' };
  }
}

function Actions({ download, name, actions }: DownloadRowProps & { name: string }) {
  const { status } = download;
  const action = (word: string, icon: ButtonProps['icon'], run: (download: Download) => void) => (
    <Button
      type="text"
      size="small"
      icon={icon}
      title={word}
      aria-label={downloadsText.actionOf(word, name)}
      onClick={() => run(download)}
    />
  );
  const isStopped = status === 'complete' || status === 'error';
  return (
    <span className={styles.actions}>
      {(status === 'active' || status === 'waiting') && action(downloadsText.pause, <PauseOutlined />, actions.pause)}
      {status === 'paused' && action(downloadsText.resume, <CaretRightOutlined />, actions.resume)}
      {status === 'error' && action(downloadsText.retry, <ReloadOutlined />, actions.retry)}
      {isStopped
        ? action(downloadsText.forget, <CloseOutlined />, actions.remove)
        : action(downloadsText.remove, <DeleteOutlined />, actions.remove)}
    </span>
  );
}
