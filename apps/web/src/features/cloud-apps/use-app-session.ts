import { useMutation } from '@tanstack/react-query';
import type { CloudAppOpened } from '@tongtu/contract';
import { appFailures } from '@tongtu/contract/app-failures';
import { useCallback, useEffect, useState } from 'react';
import { errorCode, errorText, useApi } from '../../api/index.ts';
import { appPageText } from '../../text/cloud-apps/app-page.ts';
import { isCancelled } from '../confirm/is-cancelled.ts';
import type { EndReason } from './app-screen.ts';

export type AppSessionState =
  | { phase: 'opening' | 'open' }
  | { phase: 'failed'; text: string; code: string | undefined }
  | { phase: 'ended'; text: string; reason: EndReason };

/** Opens a session of the app at once, and again when the user asks for it. */
export function useAppSession(appId: number) {
  const { call } = useApi();
  /** The last session, which is still shown while another one opens. */
  const [session, setSession] = useState<CloudAppOpened>();
  const [endReason, setEndReason] = useState<EndReason>();
  const { mutate, error, isSuccess } = useMutation({
    mutationFn: () => call('POST /api/user/cloud_apps/{id}/sessions/', { params: { id: appId } }),
    onSuccess(opened) {
      setSession(opened);
      setEndReason(undefined);
    },
  });
  const open = useCallback(() => mutate(), [mutate]);
  useEffect(open, [open]);
  return { state: stateOf(error, isSuccess, endReason), session, open, end: setEndReason };
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
