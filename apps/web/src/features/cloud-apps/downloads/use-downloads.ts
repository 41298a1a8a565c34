import { replaceEqualDeep } from '@tanstack/react-query';
import type { CloudAppOpened, Download, DownloadDetails, DownloadsFromGateway } from '@tongtu/contract';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { EndReason } from '../app-screen.ts';
import { useSessionWatch } from '../connecting/use-session-watch.ts';
import { needsLogin } from '../connecting/use-target-login.ts';

export type DownloadList = Extract<DownloadsFromGateway, { type: 'downloads' }>;
/** The download that is shown alone; without details until they have arrived. */
export type ShownDetails = { id: string; details?: DownloadDetails; failure?: string };

type UseDownloadsInput = {
  session: CloudAppOpened;
  isConnected: boolean;
  onEnded: (reason: EndReason) => void;
  onLoginNeeded: () => void;
};

/** All downloads, as they are while the page is seen. They stay on the screen while a connection is opened again. */
export function useDownloads({ session, isConnected, onEnded, onLoginNeeded }: UseDownloadsInput) {
  const [list, setList] = useState<DownloadList>();
  const [failure, setFailure] = useState<string>();
  const [shown, setShown] = useState<ShownDetails>();
  const isVisible = usePageVisibility();
  const shownId = shown?.id ?? null;

  const watch = useSessionWatch<DownloadsFromGateway>(session, {
    path: 'downloads/watch',
    onEnded,
    onOpen: () => ask(),
    onMessage(message) {
      switch (message.type) {
        case 'downloads':
          setFailure(undefined);
          // What has not changed keeps its identity, so that its row is not drawn again.
          return setList((before) => replaceEqualDeep(before, message));
        case 'details':
          return setShown((before) =>
            before?.id === message.details.id
              ? { id: before.id, details: replaceEqualDeep(before.details, message.details) }
              : before,
          );
        case 'details_failed':
          return setShown((before) => (before?.id === message.id ? { ...before, failure: message.detail } : before));
        case 'target_failed':
          if (needsLogin(message.code)) return onLoginNeeded();
          return setFailure(message.detail);
        default:
          return undefined;
      }
    },
  });
  const { send } = watch;
  const ask = useEffectEvent(() => {
    if (isConnected) send(isVisible ? { type: 'watch', details: shownId } : { type: 'rest' });
  });
  useEffect(() => ask(), [isConnected, isVisible, shownId]);

  return {
    ...watch,
    list,
    failure,
    shown,
    open: ({ id }: Pick<Download, 'id'>) => setShown({ id }),
    close: () => setShown(undefined),
    /** After a change: what it did is seen at once. */
    refresh: () => send({ type: 'watch', details: shownId }),
  };
}

function usePageVisibility(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange);
      return () => document.removeEventListener('visibilitychange', onChange);
    },
    () => document.visibilityState === 'visible',
  );
}
