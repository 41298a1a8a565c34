import type { CheckReply } from '@tongtu/contract';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { GateDeps } from './gate-deps.ts';
import { useAnswer } from './use-answer.ts';

const offlineStates: readonly string[] = ['offline', 'never_connected'];
const pollEveryMs = 10_000;

type Wait = {
  deps: GateDeps;
  reply: CheckReply | undefined;
  onOnline: () => void;
  /** The address is now closed for another reason. */
  onOtherRefusal: () => void;
};

/** Waits for an offline device. Unlike repeated checks, the wait uses no tickets. */
export function useWaitForDevice({ deps, reply, onOnline, onOtherRefusal }: Wait): void {
  const isWanted = reply?.reason === 'device_offline';
  const ask = (signal: AbortSignal) =>
    deps.call('GET /api/router_info/', { query: { domain: reply?.domain ?? '' }, signal });
  const { data } = useAnswer(isWanted ? reply.domain : undefined, ask, {
    everyMs: pollEveryMs,
    isAskedOnReturn: true,
  });
  const settledFor = useRef<CheckReply>(undefined);
  const onState = useEffectEvent((state: string) => {
    // One change ends the wait. If the next check still says that the device is offline, the wait goes on.
    if (offlineStates.includes(state) || settledFor.current === reply) return;
    settledFor.current = reply;
    if (state === 'online') onOnline();
    else onOtherRefusal();
  });
  useEffect(() => {
    if (data) onState(data.state);
  }, [data]);
}
