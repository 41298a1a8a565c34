import { CheckCircleFilled, CloseOutlined, PauseOutlined, PlayCircleOutlined, RedoOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { memo, type ReactNode } from 'react';
import { bytesText } from '../../../../text/amounts.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { useFileNames } from '../use-file-names.ts';
import type { UploadItem } from './upload-list.ts';
import type { UploadQueue } from './upload-queue.ts';
import styles from './uploads.module.css';

type UploadRowProps = { item: UploadItem; queue: UploadQueue; index: number; count: number; top: number };

/** Drawn anew only when its upload has changed. Its parts are plain elements, because rows come and go all the time. */
export const UploadRow = memo(function UploadRow({ item, queue, index, count, top }: UploadRowProps) {
  const { id, path, size, status, sentBytes, text } = item;
  const names = useFileNames();
  const name = shownName(names.textOf(path));
  const percent = size === 0 ? 0 : Math.floor((sentBytes / size) * 100);
  const hasFailed = status === 'failed' || status === 'exists';
  return (
    <li className={styles.row} style={{ top }} aria-label={name} aria-posinset={index + 1} aria-setsize={count}>
      <div className={styles.line}>
        <bdi className={styles.name} title={shownName(names.pathTextOf(path))}>
          {name}
        </bdi>
        <span className={styles.buttons}>
          {status === 'exists' && (
            <>
              <Button size="small" onClick={() => queue.replaceExisting(id)}>
                {uploadsText.replace}
              </Button>
              <Button size="small" onClick={() => queue.remove(id)}>
                {uploadsText.skip}
              </Button>
            </>
          )}
          {(status === 'running' || status === 'waiting') && (
            <RowButton label={uploadsText.pause(name)} icon={<PauseOutlined />} onClick={() => queue.pause(id)} />
          )}
          {status === 'paused' && (
            <RowButton
              label={uploadsText.resume(name)}
              icon={<PlayCircleOutlined />}
              onClick={() => queue.resume(id)}
            />
          )}
          {status === 'failed' && (
            <RowButton label={uploadsText.retry(name)} icon={<RedoOutlined />} onClick={() => queue.resume(id)} />
          )}
          {status === 'done' && <CheckCircleFilled className={styles.done} aria-hidden />}
          {status !== 'done' && status !== 'exists' && (
            <RowButton label={uploadsText.cancel(name)} icon={<CloseOutlined />} onClick={() => queue.remove(id)} />
          )}
        </span>
      </div>
      {hasFailed ? (
        <p className={styles.failure} title={text}>
          {text}
        </p>
      ) : (
        <div className={styles.line}>
          {status !== 'done' && (
            <span
              className={styles.bar}
              role="progressbar"
              aria-label={name}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={percent}
            >
              <span style={{ width: `${percent}%` }} />
            </span>
          )}
          <span className={styles.amount}>{statusText(item, percent)}</span>
        </div>
      )}
    </li>
  );
});

function statusText({ status, size }: UploadItem, percent: number): string {
  if (status === 'running') return `${percent}%`;
  if (status === 'done') return bytesText(size);
  return status === 'paused' ? uploadsText.paused : uploadsText.waiting;
}

function RowButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className={styles.rowButton} aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  );
}
