import {
  CheckCircleFilled,
  CloseOutlined,
  DownOutlined,
  PauseOutlined,
  PlayCircleOutlined,
  RedoOutlined,
  UpOutlined,
} from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type ReactNode, useState } from 'react';
import { bytesText } from '../../../../text/amounts.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { nameOf } from '../folder-path.ts';
import type { UploadItem, UploadQueue } from './upload-queue.ts';
import styles from './uploads.module.css';
import { isUnfinished } from './use-uploads.ts';

/** More are counted, not drawn. Those that want something of the user come first. */
const maxShown = 100;
const order = { exists: 0, failed: 1, running: 2, paused: 3, waiting: 4, done: 5 } as const;

type UploadPanelProps = { queue: UploadQueue; items: readonly UploadItem[] };

/** The uploads of the page, above the lower edge. */
export function UploadPanel({ queue, items }: UploadPanelProps) {
  const [isFolded, setIsFolded] = useState(false);
  if (items.length === 0) return null;
  const total = items.reduce((sum, { file }) => sum + file.size, 0);
  const sent = items.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const doneCount = items.filter(({ status }) => status === 'done').length;
  const isBusy = items.some(isUnfinished);
  const existing = items.filter(({ status }) => status === 'exists');
  const shown = [...items].sort((left, right) => order[left.status] - order[right.status]).slice(0, maxShown);
  const each = (list: readonly UploadItem[], run: (id: number) => void) => () => {
    for (const { id } of list) run(id);
  };
  return (
    <section className={styles.panel} aria-label={uploadsText.title}>
      <header className={styles.head}>
        <strong role="status">{uploadsText.progress(doneCount, items.length)}</strong>
        <span className={styles.amount}>{uploadsText.amount(bytesText(sent), bytesText(total))}</span>
        <IconButton
          label={isFolded ? uploadsText.unfold : uploadsText.fold}
          icon={isFolded ? <UpOutlined /> : <DownOutlined />}
          onClick={() => setIsFolded(!isFolded)}
        />
        {!isBusy && (
          <IconButton
            label={uploadsText.close}
            icon={<CloseOutlined />}
            onClick={each(items, (id) => queue.remove(id))}
          />
        )}
      </header>
      {!isFolded && existing.length > 1 && (
        <p className={styles.all}>
          {uploadsText.existing(existing.length)}
          <Button size="small" onClick={each(existing, (id) => queue.replaceExisting(id))}>
            {uploadsText.replaceAll}
          </Button>
          <Button size="small" onClick={each(existing, (id) => queue.remove(id))}>
            {uploadsText.skipAll}
          </Button>
        </p>
      )}
      {!isFolded && (
        <ul className={styles.list}>
          {shown.map((item) => (
            <Row key={item.id} item={item} queue={queue} />
          ))}
          {items.length > shown.length && <li>{uploadsText.andMore(items.length - shown.length)}</li>}
        </ul>
      )}
    </section>
  );
}

function Row({ item, queue }: { item: UploadItem; queue: UploadQueue }) {
  const { id, path, file, status, sentBytes, text } = item;
  const name = shownName(nameOf(path));
  const percent = file.size === 0 ? 0 : Math.floor((sentBytes / file.size) * 100);
  const hasFailed = status === 'failed' || status === 'exists';
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.line}>
        <bdi className={styles.name} title={shownName(path)}>
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
            <IconButton label={uploadsText.pause(name)} icon={<PauseOutlined />} onClick={() => queue.pause(id)} />
          )}
          {status === 'paused' && (
            <IconButton
              label={uploadsText.resume(name)}
              icon={<PlayCircleOutlined />}
              onClick={() => queue.resume(id)}
            />
          )}
          {status === 'failed' && (
            <IconButton label={uploadsText.retry(name)} icon={<RedoOutlined />} onClick={() => queue.resume(id)} />
          )}
          {status === 'done' && <CheckCircleFilled className={styles.done} aria-hidden />}
          {status !== 'done' && status !== 'exists' && (
            <IconButton label={uploadsText.cancel(name)} icon={<CloseOutlined />} onClick={() => queue.remove(id)} />
          )}
        </span>
      </div>
      {hasFailed ? (
        <p className={styles.failure}>{text}</p>
      ) : (
        <div className={styles.line}>
          {status !== 'done' && <Progress percent={percent} size="small" showInfo={false} aria-label={name} />}
          <span className={styles.amount}>{statusText(item, percent)}</span>
        </div>
      )}
    </li>
  );
}

function statusText({ status, file }: UploadItem, percent: number): string {
  if (status === 'running') return `${percent}%`;
  if (status === 'done') return bytesText(file.size);
  return status === 'paused' ? uploadsText.paused : uploadsText.waiting;
}

function IconButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return <Button type="text" size="small" icon={icon} aria-label={label} title={label} onClick={onClick} />;
}
