import type { CheckReply } from '@tongtu/contract';
import { useEffect } from 'react';
import { useDomainState } from '../../api/index.ts';

const offlineStates: readonly string[] = ['offline', 'never_connected'];

type Wait = {
  reply: CheckReply | undefined;
  /** When the reply arrived; an older domain state says nothing about the device's return. */
  askedAtMs: number;
  onOnline: () => void;
  /** The address is now closed for another reason. */
  onOtherRefusal: () => void;
};

/** Waits for an offline device. Unlike repeated checks, the wait uses no tickets. */
export function useWaitForDevice({ reply, askedAtMs, onOnline, onOtherRefusal }: Wait): void {
  const isWanted = reply?.reason === 'device_offline';
  const { data, dataUpdatedAt } = useDomainState(reply?.domain ?? '', { isWanted, isPolled: true });
  const state = isWanted && dataUpdatedAt >= askedAtMs ? data?.state : undefined;
  useEffect(() => {
    if (state === undefined || offlineStates.includes(state)) return;
    if (state === 'online') onOnline();
    else onOtherRefusal();
    // oxlint-disable-next-line react/exhaustive-deps -- the callbacks change with every render; one must run once
  }, [state]);
}
