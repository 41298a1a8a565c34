import {
  AudioOutlined,
  FileImageOutlined,
  FileOutlined,
  FilePdfOutlined,
  FileTextOutlined,
  FileUnknownOutlined,
  FileZipOutlined,
  FolderFilled,
  VideoCameraOutlined,
} from '@ant-design/icons';
import type { FileEntry } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { previewKind, type PreviewKind } from '../preview/preview-kind.ts';
import { isFile, isFolder } from './shown-entries.ts';
import styles from './entries.module.css';

const archive = /\.(zip|7z|rar|tar|gz|tgz|bz2|xz|zst)$/i;
const look = { 'aria-hidden': true, className: styles.fileIcon ?? '' };
const icons: Record<PreviewKind, ReactNode> = {
  image: <FileImageOutlined {...look} />,
  pdf: <FilePdfOutlined {...look} />,
  audio: <AudioOutlined {...look} />,
  video: <VideoCameraOutlined {...look} />,
  text: <FileTextOutlined {...look} />,
};

export function EntryIcon({ entry }: { entry: FileEntry }) {
  if (isFolder(entry)) return <FolderFilled aria-hidden className={styles.folderIcon ?? ''} />;
  if (!isFile(entry)) return <FileUnknownOutlined {...look} />;
  if (archive.test(entry.name)) return <FileZipOutlined {...look} />;
  const kind = previewKind(entry.name);
  return kind === undefined ? <FileOutlined {...look} /> : icons[kind];
}
