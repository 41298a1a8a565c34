import { useEffect, useState, useSyncExternalStore } from 'react';
import { errorText } from '../../../../api/index.ts';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { FilesClient } from '../files-client.ts';
import { childPath } from '../folder-path.ts';
import { useRefresh } from '../use-listing.ts';
import { gatewayUploads } from './gateway-uploads.ts';
import { pacedRefresh } from './paced-refresh.ts';
import type { ChosenFiles } from './read-dropped.ts';
import { UploadQueue } from './upload-queue.ts';

type UseUploadsInput = {
  client: FilesClient;
  isConnected: boolean;
  /** The one that is shown. */
  folder: string | undefined;
};

/** The uploads of the page, which run while there is a login. */
export function useUploads({ client, isConnected, folder }: UseUploadsInput) {
  const [queue] = useState(() => new UploadQueue());
  const toast = useToast();

  useEffect(() => {
    queue.connect(isConnected ? gatewayUploads(client) : undefined);
    return () => queue.connect(undefined);
  }, [queue, client, isConnected]);

  useEffect(() => {
    const retry = () => queue.retryNow();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [queue]);

  const isUnfinished = useSyncExternalStore(queue.subscribe, queue.isUnfinished);
  useEffect(() => {
    if (!isUnfinished) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnfinished]);

  useRefreshOfChanged(queue, client, folder);

  const [firstFolder] = useState(() => Promise.withResolvers<string>());
  useEffect(() => {
    if (folder !== undefined) firstFolder.resolve(folder);
  }, [firstFolder, folder]);

  /** Into the shown folder. Before the login has succeeded it is not known, so the files wait. */
  async function upload(read: (onFound: (count: number) => void) => Promise<ChosenFiles>) {
    const reading = queue.showReading();
    try {
      const { files, emptyFolders, unreadable } = await read(reading.found);
      if (folder === undefined) reading.waitForLogin();
      const base = folder ?? (await firstFolder.promise);
      // What the encoding lacks is written in UTF-8 rather than not at all.
      const onTarget = (path: string) => client.names.newPaths(base, path) ?? childPath(base, path);
      queue.add(
        {
          files: files.map(({ path, ...file }) => ({ path: onTarget(path), ...file })),
          emptyFolders: emptyFolders.map(onTarget),
          unreadable: unreadable.map(onTarget),
        },
        base,
      );
    } catch (error) {
      toast.error(error instanceof DOMException ? uploadsText.unreadable : errorText(error));
    } finally {
      reading.end();
    }
  }

  return { queue, upload };
}

/** Reads the shown folder again when something has arrived in it; and after a cut, which shows what is the matter. */
function useRefreshOfChanged(queue: UploadQueue, client: FilesClient, folder: string | undefined): void {
  const refresh = useRefresh(client);
  useEffect(() => {
    const paced = pacedRefresh(refresh);
    let wasBusy = queue.isBusy();
    let wasCut = false;
    const unsubscribe = queue.subscribe(() => {
      const changed = queue.takeChangedFolders();
      const isBusy = queue.isBusy();
      const { isCut } = queue.view();
      if ((wasBusy && !isBusy) || (isCut && !wasCut) || (!isBusy && changed.size > 0)) paced.now();
      else if (folder !== undefined && changed.has(folder)) paced.soon();
      wasBusy = isBusy;
      wasCut = isCut;
    });
    return () => {
      unsubscribe();
      paced.stop();
    };
  }, [queue, refresh, folder]);
}
