import { useMutation } from '@tanstack/react-query';
import type { CloudAppOpened } from '@tongtu/contract';
import { appFailures } from '@tongtu/contract/app-failures';
import { useCallback, useEffect, useState } from 'react';
import { errorCode, errorText, useApi } from '../../api/index.ts';
import { appPageText } from '../../text/cloud-apps/app-page.ts';
import { isCancelled } from '../confirm/is-cancelled.ts';
import { forgetSession, noteSession, readLeftSession } from './left-session.ts';
import type { EndReason } from './app-screen.ts';

export type AppSessionState =
  | { phase: 'opening' | 'open' }
  | { phase: 'failed'; text: string; code: string | undefined }
  | { phase: 'ended'; text: string; reason: EndReason };

/**
 * Opens a session of the app at once, and again when the user asks for it. A terminal that still runs goes on: the
 * one of this tab, the `wanted` one, or the last one of this login whose page was closed.
 */
export function useAppSession(appId: number, wanted?: number) {
  const { call } = useApi();
  /** The last session, which is still shown while another one opens. */
  const [session, setSession] = useState<CloudAppOpened>();
  const [endReason, setEndReason] = useState<EndReason>();
  const { mutate, error, isSuccess } = useMutation({
    mutationFn({ isFresh }: { isFresh: boolean }) {
      const resume = isFresh ? undefined : (readLeftSession(appId) ?? wanted);
      return call('POST /api/user/cloud_apps/{id}/sessions/', {
        params: { id: appId },
        query: { ...(isFresh && { fresh: 'true' as const }), ...(resume !== undefined && { resume }) },
      });
    },
    onSuccess(opened) {
      noteSession(opened);
      setSession(opened);
      setEndReason(undefined);
    },
  });
  const open = useCallback(() => mutate({ isFresh: false }), [mutate]);
  const openFresh = useCallback(() => mutate({ isFresh: true }), [mutate]);
  useEffect(open, [open]);
  const end = useCallback(
    (reason: EndReason) => {
      // Its shell may still run, and reconnecting leads to it.
      if (reason !== 'disconnected' && reason !== 'taken-over') forgetSession(appId);
      setEndReason(reason);
    },
    [appId],
  );
  return { state: stateOf(error, isSuccess, endReason), session, open, openFresh, end };
}

function stateOf(error: Error | null, isOpened: boolean, endReason: EndReason | undefined): AppSessionState {
  if (error) {
    const text = isCancelled(error) ? appPageText.confirmNeeded : errorText(error);
    return { phase: 'failed', text, code: errorCode(error) };
  }
  if (!isOpened) return { phase: 'opening' };
  return endReason === undefined ? { phase: 'open' } : { phase: 'ended', text: endText(endReason), reason: endReason };
}

function endText(reason: EndReason): string {
  switch (reason) {
    case 'disconnected':
      return appPageText.disconnected;
    case 'browser-too-old':
      return appPageText.browserTooOld;
    default:
      return appFailures[reason].zh;
  }
}
