import type { Download } from '@tongtu/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { downloadName, downloadsText } from '../../../text/cloud-apps/downloads.ts';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { AddDialog } from './add/add-dialog.tsx';
import { DetailsDialog } from './details/details-dialog.tsx';
import type { DownloadsClient } from './downloads-client.ts';
import { LimitsDialog } from './limits/limits-dialog.tsx';
import type { DownloadActions } from './list/download-actions.ts';
import type { useDownloads } from './use-downloads.ts';

type UseDownloadActionsInput = {
  client: DownloadsClient;
  live: ReturnType<typeof useDownloads>;
  /** Where aria2 downloads to. */
  folder: string;
  /** Asks for the login if a call has failed without it. */
  noticeError: (error: unknown) => void;
};

/** What the user does with all downloads together. */
export type ActionsForAll = Record<'add' | 'pause' | 'resume' | 'forget' | 'limit', () => void>;

/** What the user does, and the dialog that this has opened. */
export function useDownloadActions({ client, live, folder, noticeError }: UseDownloadActionsInput) {
  const toast = useToast();
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<'add' | 'limits'>();
  const { shown } = live;

  function run(change: Promise<void>) {
    change.then(live.refresh, (error: unknown) => {
      noticeError(error);
      toast.error(errorText(error));
    });
  }
  const change = (action: Parameters<DownloadsClient['change']>[0]['action'], { id }: Download) =>
    run(client.change({ action, id }));
  const remove = (download: Download) => {
    if (download.status === 'complete' || download.status === 'error') return change('forget', download);
    confirm({
      title: downloadsText.removeTitle(downloadName(download)),
      text: downloadsText.removeText,
      confirm: downloadsText.remove,
      onConfirm: () => change('remove', download),
    });
  };
  const actions = useStableActions({
    open: live.open,
    pause: (download) => change('pause', download),
    resume: (download) => change('resume', download),
    retry: (download) => change('retry', download),
    remove,
  });
  const forAll: ActionsForAll = {
    add: () => setDialog('add'),
    limit: () => setDialog('limits'),
    pause: () => run(client.changeAll({ action: 'pause' })),
    resume: () => run(client.changeAll({ action: 'resume' })),
    forget: () =>
      confirm({
        title: downloadsText.forgetAllTitle,
        text: downloadsText.forgetAllText,
        confirm: downloadsText.forgetAll,
        onConfirm: () => run(client.changeAll({ action: 'forget' })),
      }),
  };
  const close = () => setDialog(undefined);
  return {
    actions,
    forAll,
    dialog: (
      <>
        {dialog === 'add' && <AddDialog client={client} base={folder} onAdded={live.refresh} onClose={close} />}
        {dialog === 'limits' && <LimitsDialog client={client} onClose={close} />}
        {shown && (
          <DetailsDialog
            key={shown.id}
            client={client}
            shown={shown}
            download={live.list?.downloads.find(({ id }) => id === shown.id)}
            onChanged={live.refresh}
            onClose={live.close}
          />
        )}
      </>
    ),
  };
}

/** The same functions for the rows at each drawing, so that an unchanged row is not drawn again. */
function useStableActions(actions: DownloadActions): DownloadActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      open: (download) => latest.current.open(download),
      pause: (download) => latest.current.pause(download),
      resume: (download) => latest.current.resume(download),
      retry: (download) => latest.current.retry(download),
      remove: (download) => latest.current.remove(download),
    }),
    [],
  );
}
