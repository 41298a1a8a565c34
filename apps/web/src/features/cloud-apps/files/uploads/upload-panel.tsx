import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { useConfirm } from '../../../../ui/use-confirm.ts';
import type { UploadQueue, UploadView } from './upload-queue.ts';
import { UploadRows } from './upload-rows.tsx';
import styles from './uploads.module.css';

/** The uploads of the page, above the lower edge. */
export function UploadPanel({ queue }: { queue: UploadQueue }) {
  const view = useSyncExternalStore(queue.subscribe, queue.view);
  const [isFolded, setIsFolded] = useState(false);
  const { count, counts, found } = view;
  const confirm = useConfirm();
  if (count === 0 && found === undefined) return null;
  const close = () => queue.removeAll('all');
  const askAndClose = () =>
    confirm({
      title: uploadsText.closeTitle,
      text: uploadsText.closeText(counts.exists, counts.failed),
      confirm: uploadsText.discard,
      cancel: uploadsText.back,
      onConfirm: close,
    });
  return (
    <section className={styles.panel} aria-label={uploadsText.title}>
      <header className={styles.head}>
        <strong role="status">{count > 0 ? uploadsText.progress(counts.done, count) : foundText(view)}</strong>
        <IconButton
          label={isFolded ? uploadsText.unfold : uploadsText.fold}
          icon={isFolded ? <UpOutlined /> : <DownOutlined />}
          onClick={() => setIsFolded(!isFolded)}
        />
        {!queue.isBusy() && (
          <IconButton
            label={uploadsText.close}
            icon={<CloseOutlined />}
            onClick={queue.isUnfinished() ? askAndClose : close}
          />
        )}
      </header>
      <p className={styles.facts}>{uploadsText.facts(view)}</p>
      {view.isCut && <p className={styles.failure}>{uploadsText.waitsForConnection}</p>}
      {count > 1 && <ForAll queue={queue} view={view} />}
      {!isFolded && count > 0 && <UploadRows queue={queue} />}
    </section>
  );
}

function foundText({ found = 0, waitsForLogin }: UploadView): string {
  return waitsForLogin ? uploadsText.waitsForLogin(found) : uploadsText.found(found);
}

/** What can be done with many at once. */
function ForAll({ queue, view }: { queue: UploadQueue; view: UploadView }) {
  const confirm = useConfirm();
  const { exists, failed, running, paused, waiting } = view.counts;
  const unfinished = running + paused + waiting + exists + failed;
  if (unfinished === 0) return null;
  const cancelAll = () =>
    confirm({
      title: uploadsText.cancelAllTitle,
      text: uploadsText.cancelAllText(unfinished),
      confirm: uploadsText.cancelAll,
      cancel: uploadsText.keep,
      onConfirm: () => queue.removeAll('unfinished'),
    });
  return (
    <div className={styles.all}>
      {exists > 0 && (
        <>
          <span>{uploadsText.existing(exists)}</span>
          <Small text={uploadsText.replaceAll} onClick={() => queue.answerExisting('replace')} />
          <Small text={uploadsText.skipAll} onClick={() => queue.answerExisting('skip')} />
        </>
      )}
      {failed > 0 && (
        <>
          <span className={styles.failedCount}>{uploadsText.failed(failed)}</span>
          <Small text={uploadsText.retryAll} onClick={() => queue.resumeAll('failed')} />
        </>
      )}
      {running + waiting > 0 && <Small text={uploadsText.pauseAll} onClick={() => queue.pauseAll()} />}
      {paused > 0 && <Small text={uploadsText.resumeAll} onClick={() => queue.resumeAll('paused')} />}
      <Small text={uploadsText.cancelAll} onClick={cancelAll} />
    </div>
  );
}

function Small({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <Button size="small" onClick={onClick}>
      {text}
    </Button>
  );
}

function IconButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return <Button type="text" size="small" icon={icon} aria-label={label} title={label} onClick={onClick} />;
}
