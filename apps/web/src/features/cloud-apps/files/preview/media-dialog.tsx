import type { MediaKind } from '@tongtu/contract/media-types';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { previewText } from '../../../../text/cloud-apps/file-preview.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { sharedText } from '../../../../text/shared.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import type { FilesClient } from '../files-client.ts';
import styles from './preview.module.css';

type MediaDialogProps = {
  client: FilesClient;
  path: string;
  kind: MediaKind;
  onDownload: () => void;
  onClose: () => void;
};

const dialogWidth = 'min(1100px, calc(100vw - 32px))';
const dialogStyle = { top: 24 };

/** Shows an image or a PDF, or plays a sound or a video. The browser fetches the parts that it needs. */
export function MediaDialog({ client, path, kind, onDownload, onClose }: MediaDialogProps) {
  const [hasFailed, setHasFailed] = useState(false);
  const name = shownName(client.names.textOf(path));
  const url = client.url('content', { path, inline: '1' });
  return (
    <Dialog
      title={<bdi>{name}</bdi>}
      width={dialogWidth}
      style={dialogStyle}
      onClose={onClose}
      footer={
        <div className={styles.footer}>
          <Button onClick={onDownload}>{previewText.download}</Button>
          <Button type="primary" onClick={onClose}>
            {sharedText.close}
          </Button>
        </div>
      }
    >
      {hasFailed ? (
        <Alert type="info" showIcon title={previewText.notShown} />
      ) : (
        <div className={styles.media}>{mediaOf(kind, { url, name, onError: () => setHasFailed(true) })}</div>
      )}
    </Dialog>
  );
}

function mediaOf(kind: MediaKind, { url, name, onError }: { url: string; name: string; onError: () => void }) {
  switch (kind) {
    case 'image':
      return <img src={url} alt={name} onError={onError} />;
    case 'pdf':
      return <iframe src={url} title={name} />;
    case 'audio':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- the user's own file
      return <audio src={url} controls preload="metadata" aria-label={name} onError={onError} />;
    case 'video':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- the user's own file
      return <video src={url} controls preload="metadata" playsInline aria-label={name} onError={onError} />;
  }
}
