import type { FileEntry, TreeResult } from '@tongtu/contract';
import { MAX_EDITED_BYTES, MAX_PATHS } from '@tongtu/contract/file-names';
import type { MediaKind } from '@tongtu/contract/media-types';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { ApiError, errorText } from '../../../api/index.ts';
import { changesText } from '../../../text/cloud-apps/file-changes.ts';
import { previewText } from '../../../text/cloud-apps/file-preview.ts';
import { filesText, shownName } from '../../../text/cloud-apps/files.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { FailuresDialog } from './changes/failures-dialog.tsx';
import { FolderPicker } from './changes/folder-picker.tsx';
import { NameDialog } from './changes/name-dialog.tsx';
import { RemoveDialog } from './changes/remove-dialog.tsx';
import { transfer, type TransferKind } from './changes/transfer.ts';
import { downloadOf, startDownload } from './download.ts';
import type { EntryActions } from './entries/entry-actions.ts';
import type { SelectionChange } from './entries/selection.ts';
import { isFile, isFolder } from './entries/shown-entries.ts';
import type { FilesClient } from './files-client.ts';
import { childPath, nameOf, parentPath } from './folder-path.ts';
import { MediaDialog } from './preview/media-dialog.tsx';
import { previewKind } from './preview/preview-kind.ts';
import { TextDialog } from './preview/text-dialog.tsx';
import { useRefresh } from './use-listing.ts';

type OpenDialog =
  | { type: 'new-folder' }
  | { type: 'rename'; entry: FileEntry }
  | { type: TransferKind; paths: string[] }
  | { type: 'remove'; entries: readonly FileEntry[] }
  | { type: 'text'; entry: FileEntry }
  | { type: 'media'; entry: FileEntry; kind: MediaKind }
  | { type: 'failures'; result: TreeResult };

type UseFileActionsInput = {
  client: FilesClient;
  folder: string;
  go: (folder: string, options?: { from?: string }) => void;
  select: (change: SelectionChange) => void;
};

/** What the user does with the shown folder and its entries, and the dialog that this has opened. */
export function useFileActions(input: UseFileActionsInput) {
  const { client, folder, go, select } = input;
  const toast = useToast();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = useCallback(() => setDialog(undefined), []);
  const actions = useMemo((): EntryActions => {
    function download(entries: readonly FileEntry[]) {
      const found = downloadOf(client, folder, entries);
      if (found) startDownload(found);
      else toast.warning(filesText.tooManyForZip);
    }
    const pathsOf = (entries: readonly FileEntry[]) => entries.map(({ name }) => childPath(folder, name));
    return {
      open(entry) {
        if (isFolder(entry)) return go(childPath(folder, entry.name));
        if (!isFile(entry)) return toast.warning(filesText.notReadable);
        const kind = previewKind(entry.name);
        if (kind === undefined) return download([entry]);
        if (kind !== 'text') return setDialog({ type: 'media', entry, kind });
        if ((entry.size ?? 0) <= MAX_EDITED_BYTES) return setDialog({ type: 'text', entry });
        toast.warning(previewText.tooLarge);
        return download([entry]);
      },
      leave: () => folder !== '/' && go(parentPath(folder), { from: nameOf(folder) }),
      download,
      rename: (entry) => setDialog({ type: 'rename', entry }),
      move: (entries) => setDialog({ type: 'move', paths: pathsOf(entries) }),
      copy: (entries) => setDialog({ type: 'copy', paths: pathsOf(entries) }),
      remove: (entries) => setDialog({ type: 'remove', entries }),
    };
  }, [client, folder, go, toast]);
  const changes = useChanges(client, (result) => setDialog({ type: 'failures', result }));
  return {
    actions,
    newFolder: () => setDialog({ type: 'new-folder' }),
    dialog: dialog && dialogOf(dialog, { client, folder, actions, changes, close, select }),
  };
}

type DialogInput = Pick<UseFileActionsInput, 'client' | 'folder' | 'select'> & {
  actions: EntryActions;
  changes: ReturnType<typeof useChanges>;
  close: () => void;
};

function dialogOf(dialog: OpenDialog, { client, folder, actions, changes, close, select }: DialogInput): ReactNode {
  switch (dialog.type) {
    case 'new-folder':
      return (
        <NameDialog
          title={filesText.newFolder}
          okText={changesText.create}
          name=""
          save={async (name) => {
            const path = newPath(client, folder, name);
            await changes.createFolder(path);
            select({ type: 'only', name: nameOf(path) });
          }}
          onClose={close}
        />
      );
    case 'rename': {
      const { name } = dialog.entry;
      const text = client.names.textOf(childPath(folder, name));
      return (
        <NameDialog
          title={changesText.renameTitle(shownName(text))}
          okText={changesText.rename}
          name={text}
          save={async (given) => {
            const to = newPath(client, folder, given);
            await changes.rename(childPath(folder, name), to);
            select({ type: 'only', name: nameOf(to) });
          }}
          onClose={close}
        />
      );
    }
    case 'move':
    case 'copy': {
      const { type: kind, paths } = dialog;
      return (
        <FolderPicker
          client={client}
          kind={kind}
          paths={paths}
          folder={folder}
          run={async (target, taken) => await changes.transfer({ kind, paths, folder: target, taken })}
          onClose={close}
        />
      );
    }
    case 'remove':
      return (
        <RemoveDialog
          client={client}
          folder={folder}
          entries={dialog.entries}
          remove={changes.remove}
          onClose={close}
        />
      );
    case 'text':
      return (
        <TextDialog
          client={client}
          path={childPath(folder, dialog.entry.name)}
          onChanged={() => void changes.refresh()}
          onDownload={() => actions.download([dialog.entry])}
          onClose={close}
        />
      );
    case 'media':
      return (
        <MediaDialog
          client={client}
          path={childPath(folder, dialog.entry.name)}
          kind={dialog.kind}
          onDownload={() => actions.download([dialog.entry])}
          onClose={close}
        />
      );
    case 'failures':
      return <FailuresDialog result={dialog.result} onClose={close} />;
  }
}

/** Throws ApiError where the app's encoding lacks a character of the name. */
function newPath({ names }: FilesClient, folder: string, text: string): string {
  const path = names.newPath(folder, text);
  if (path !== undefined) return path;
  throw new ApiError({
    ...{ type: 'problem', status: 422, code: 'files.name-not-possible', detail: changesText.notInEncoding },
    ...{ fields: {}, requestId: '', retryAfterSeconds: undefined },
  });
}

/** The changes themselves. After each the shown folder is read again. */
function useChanges(client: FilesClient, onFailures: (result: TreeResult) => void) {
  const toast = useToast();
  const confirm = useConfirm();
  const refresh = useRefresh(client);

  function report(result: TreeResult, words: string) {
    // The dialog that has asked closes first.
    if (result.failed_count > 0) setTimeout(() => onFailures(result));
    else if (result.done > 0) toast.success(words);
  }

  async function runTransfer(given: Omit<Parameters<typeof transfer>[1], 'overwrite'>) {
    try {
      const result = await transfer(client, { ...given, overwrite: false });
      report(result, changesText.done[given.kind]);
      if (result.existing.length > 0) askToReplace({ ...given, paths: result.existing });
    } finally {
      await refresh();
    }
  }

  function askToReplace(given: Omit<Parameters<typeof transfer>[1], 'overwrite'>) {
    const replace = async () => {
      try {
        report(await transfer(client, { ...given, overwrite: true }), changesText.done[given.kind]);
      } catch (error) {
        toast.error(errorText(error));
      } finally {
        await refresh();
      }
    };
    confirm({
      title: changesText.existsTitle,
      text: changesText.existsText(given.paths.map((path) => shownName(client.names.textOf(path)))),
      confirm: changesText.replace,
      cancel: changesText.skip,
      onConfirm: () => void replace(),
    });
  }

  return {
    async createFolder(path: string) {
      await client.createFolder(path);
      await refresh();
    },
    async rename(from: string, to: string) {
      const result = await client.move({ from, to, overwrite: false });
      report(result, changesText.renamed);
      await refresh();
    },
    transfer: runTransfer,
    refresh,
    async remove(paths: readonly string[]): Promise<TreeResult> {
      const sum: TreeResult = { done: 0, failed_count: 0, failed: [] };
      try {
        for (let at = 0; at < paths.length; at += MAX_PATHS) {
          const part = await client.remove(paths.slice(at, at + MAX_PATHS));
          sum.done += part.done;
          sum.failed_count += part.failed_count;
          sum.failed.push(...part.failed);
        }
      } finally {
        await refresh();
      }
      report(sum, changesText.removed(sum.done));
      return sum;
    },
  };
}
