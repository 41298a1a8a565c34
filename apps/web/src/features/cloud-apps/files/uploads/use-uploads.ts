import { useEffect, useState, useSyncExternalStore } from 'react';
import { errorCode, errorText } from '../../../../api/index.ts';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { FilesClient } from '../files-client.ts';
import { childPath } from '../folder-path.ts';
import { useRefresh } from '../use-listing.ts';
import type { ChosenFiles } from './read-dropped.ts';
import { tusUploads } from './tus-upload.ts';
import { type UploadItem, UploadQueue } from './upload-queue.ts';

/** Many small files arrive faster than a folder can be read. */
const refreshAfterMs = 1_000;

export function isUnfinished({ status }: UploadItem): boolean {
  return status === 'waiting' || status === 'running' || status === 'paused';
}

/** The uploads of the page, which run while there is a login. */
export function useUploads(client: FilesClient, isConnected: boolean) {
  const [queue] = useState(() => new UploadQueue());
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  const toast = useToast();
  const refresh = useRefresh(client);

  useEffect(() => {
    queue.connect(isConnected ? tusUploads(client) : undefined);
    return () => queue.connect(undefined);
  }, [queue, client, isConnected]);

  const finishedCount = useSyncExternalStore(queue.subscribe, queue.finishedCount);
  useEffect(() => {
    if (finishedCount === 0) return undefined;
    const timer = setTimeout(() => void refresh(), refreshAfterMs);
    return () => clearTimeout(timer);
  }, [finishedCount, refresh]);

  const isBusy = items.some(isUnfinished);
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isBusy]);

  async function upload(folder: string, chosen: ChosenFiles | Promise<ChosenFiles>): Promise<void> {
    try {
      const { folders, files } = await chosen;
      for (const path of folders) await createFolder(client, childPath(folder, path));
      if (folders.length > 0) void refresh();
      queue.add(files.map(({ path, file }) => ({ path: childPath(folder, path), file })));
    } catch (error) {
      toast.error(error instanceof DOMException ? uploadsText.unreadable : errorText(error));
    }
  }

  return { queue, items, upload };
}

async function createFolder(client: FilesClient, path: string): Promise<void> {
  try {
    await client.createFolder(path);
  } catch (error) {
    // Its content is added to that of the one that is there.
    if (errorCode(error) !== 'files.exists') throw error;
  }
}
