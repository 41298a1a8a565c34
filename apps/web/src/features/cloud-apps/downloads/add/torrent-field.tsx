import { FileAddOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef } from 'react';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { FileInput } from '../../../../ui/fields/file-input.tsx';
import styles from './add.module.css';

type TorrentFieldProps = {
  // Given by the form's item around it.
  id?: string;
  value?: File | null;
  onChange?: (file: File | null) => void;
};

/** Chooses a torrent file. */
export function TorrentField({ id, value = null, onChange }: TorrentFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className={styles.torrent}>
      <Button {...(id !== undefined && { id })} icon={<FileAddOutlined />} onClick={() => input.current?.click()}>
        {downloadsText.chooseTorrent}
      </Button>
      {value && <bdi>{shownName(value.name)}</bdi>}
      <FileInput
        ref={input}
        accept=".torrent,application/x-bittorrent"
        aria-label={downloadsText.chooseTorrent}
        onChange={({ currentTarget }) => onChange?.(currentTarget.files?.[0] ?? null)}
      />
    </span>
  );
}
