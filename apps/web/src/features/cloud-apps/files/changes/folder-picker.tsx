import { useMutation } from '@tanstack/react-query';
import { ArrowUpOutlined, FolderFilled } from '@ant-design/icons';
import { Alert, Button, Spin } from 'antd';
import { useMemo, useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { filesText, shownName } from '../../../../text/cloud-apps/files.ts';
import { changesText } from '../../../../text/cloud-apps/file-changes.ts';
import { Dialog, nothingToKeep } from '../../../../ui/dialog/dialog.tsx';
import { firstSorting, isFolder, isUsable, shownEntries } from '../entries/shown-entries.ts';
import type { FilesClient } from '../files-client.ts';
import { childPath, isInside, parentPath } from '../folder-path.ts';
import { useListing } from '../use-listing.ts';
import styles from './changes.module.css';
import type { TransferKind } from './transfer.ts';

type FolderPickerProps = {
  client: FilesClient;
  kind: TransferKind;
  /** What is moved or copied, and where it is now. */
  paths: readonly string[];
  folder: string;
  /** `taken`: the names that the chosen folder has. */
  run: (folder: string, taken: ReadonlySet<string>) => Promise<void>;
  onClose: () => void;
};

/** Chooses the folder for a move or a copy, beginning with the shown one. */
export function FolderPicker({ client, kind, paths, folder, run, onClose }: FolderPickerProps) {
  const [shown, setShown] = useState(folder);
  const { query, entries } = useListing(client, shown);
  const folders = useMemo(
    () =>
      shownEntries(
        entries.filter((entry) => isFolder(entry) && isUsable(entry)),
        '',
        firstSorting,
      ),
    [entries],
  );
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => await run(shown, new Set(entries.map(({ name }) => name))),
    onSuccess: onClose,
  });
  const isInItself = paths.some((path) => isInside(shown, path));
  const isHere = kind === 'move' && shown === folder;
  return (
    <Dialog
      title={changesText.pickerTitle[kind](paths.length)}
      okText={changesText.here[kind]}
      okButtonProps={{ disabled: isInItself || isHere || query.data === undefined }}
      confirmLoading={isPending}
      onOk={() => mutate()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <p className={styles.place}>
        <Button
          size="small"
          icon={<ArrowUpOutlined />}
          disabled={shown === '/'}
          onClick={() => setShown(parentPath(shown))}
          aria-label={filesText.up}
          title={filesText.up}
        />
        <bdi>{shown === '/' ? filesText.root : shownName(client.names.pathTextOf(shown))}</bdi>
      </p>
      <div className={styles.folders} role="group" aria-label={changesText.folders} aria-busy={query.isPending}>
        {query.isPending && <Spin size="small" />}
        {query.error && <Alert type="error" showIcon title={errorText(query.error)} />}
        {query.data && folders.length === 0 && <p className={styles.note}>{changesText.noFolders}</p>}
        {folders.map(({ name, text = name }) => (
          <button key={name} type="button" className={styles.folder} onClick={() => setShown(childPath(shown, name))}>
            <FolderFilled aria-hidden /> <bdi>{shownName(text)}</bdi>
          </button>
        ))}
      </div>
      {isInItself && <p className={styles.note}>{changesText.intoItself}</p>}
      <div role="status">{isPending && <p className={styles.note}>{changesText.running[kind]}</p>}</div>
      {error && <Alert type="error" showIcon title={errorText(error)} />}
    </Dialog>
  );
}
