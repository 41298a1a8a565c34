import type { CheckReply } from '@tongtu/contract';
import { useEffect } from 'react';
import { useDomainState } from '../../api/index.ts';

const awayStates: readonly string[] = ['offline', 'never_connected'];

type Wait = {
  reply: CheckReply | undefined;
  /** When the reply came: what was known of the address before is not news. */
  askedAtMs: number;
  onBack: () => void;
  /** The address has become shut in another way. */
  onOtherwise: () => void;
};

/** Waits for a device that is away; the wait costs no tickets, unlike asking the gate again and again. */
export function useReturn({ reply, askedAtMs, onBack, onOtherwise }: Wait): void {
  const isWanted = reply?.reason === 'device_offline';
  const { data, dataUpdatedAt } = useDomainState(reply?.domain ?? '', { isWanted, isPolled: true });
  const state = isWanted && dataUpdatedAt >= askedAtMs ? data?.state : undefined;
  useEffect(() => {
    if (state === undefined || awayStates.includes(state)) return;
    if (state === 'online') onBack();
    else onOtherwise();
    // oxlint-disable-next-line react/exhaustive-deps -- what is to be done is made anew by every render; once is enough
  }, [state]);
}
