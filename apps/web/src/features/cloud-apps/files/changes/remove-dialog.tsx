import { useMutation, useQuery } from '@tanstack/react-query';
import { Alert, Spin } from 'antd';
import type { FileEntry, TreeResult, TreeSummary } from '@tongtu/contract';
import { errorText } from '../../../../api/index.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { changesText } from '../../../../text/cloud-apps/file-changes.ts';
import { Dialog, nothingToKeep } from '../../../../ui/dialog/dialog.tsx';
import type { FilesClient } from '../files-client.ts';
import { childPath } from '../folder-path.ts';
import { groupsForQuery } from '../paths-in-query.ts';
import styles from './changes.module.css';

/** More names than that say nothing. */
const shownNames = 8;
const dangerous = { danger: true };

type RemoveDialogProps = {
  client: FilesClient;
  folder: string;
  entries: readonly FileEntry[];
  remove: (paths: readonly string[]) => Promise<TreeResult>;
  onClose: () => void;
};

/** Says what a delete takes, with everything inside the folders, and does it. */
export function RemoveDialog({ client, folder, entries, remove, onClose }: RemoveDialogProps) {
  const paths = entries.map(({ name }) => childPath(folder, name));
  const summary = useQuery({
    queryKey: ['files-summary', client.id, paths],
    queryFn: async ({ signal }) => await summarize(client, paths, signal),
    // It is counted when the dialog opens, as it is then.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => await remove(paths),
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={changesText.removeTitle(entries.length)}
      okText={changesText.remove}
      okButtonProps={{ ...dangerous, disabled: summary.isPending }}
      confirmLoading={isPending}
      onOk={() => mutate()}
      onClose={onClose}
      hasUnsavedInput={nothingToKeep}
    >
      <ul className={styles.names}>
        {entries.slice(0, shownNames).map(({ name }) => (
          <li key={name}>
            <bdi>{shownName(client.names.textOf(childPath(folder, name)))}</bdi>
          </li>
        ))}
        {entries.length > shownNames && <li>{changesText.andMore(entries.length - shownNames)}</li>}
      </ul>
      <div className={styles.summary} role="status">
        {summary.isPending && (
          <>
            <Spin size="small" /> {changesText.counting}
          </>
        )}
        {summary.data && changesText.summary(summary.data)}
        {summary.error && changesText.notCounted(errorText(summary.error))}
      </div>
      <p className={styles.note} role="status">
        {isPending ? changesText.removing : changesText.removeNote}
      </p>
      {error && <Alert type="error" showIcon title={errorText(error)} />}
    </Dialog>
  );
}

async function summarize(client: FilesClient, paths: readonly string[], signal: AbortSignal): Promise<TreeSummary> {
  const sum: TreeSummary = { files: 0, folders: 0, others: 0, bytes: 0, unreadable: 0, is_complete: true };
  for (const group of groupsForQuery(paths)) {
    const part = await client.treeSummary(group, signal);
    sum.files += part.files;
    sum.folders += part.folders;
    sum.others += part.others;
    sum.bytes += part.bytes;
    sum.unreadable += part.unreadable;
    if (!part.is_complete) return { ...sum, is_complete: false };
  }
  return sum;
}
