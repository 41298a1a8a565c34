import type { CheckReply } from '@tongtu/contract';
import { useEffect, useEffectEvent, useRef } from 'react';
import { fetchCheck, openableUrl } from './fetch-check.ts';
import type { GateDeps, Visit } from './gate-deps.ts';
import { useAnswer } from './use-answer.ts';

const offlineStates: readonly string[] = ['offline', 'never_connected'];
const pollEveryMs = 10_000;

type Refused = {
  deps: GateDeps;
  visit: Visit;
  reply: CheckReply;
  onAgain: () => void;
  /** Opens the address. */
  onLeave: (url: string) => void;
};

/** Waits for an offline device, and opens its address then. Unlike repeated checks, the wait uses no tickets. */
export function useOfflineDevice({ deps, visit, reply, onAgain, onLeave }: Refused) {
  const isWanted = reply.reason === 'device_offline';
  const ask = (signal: AbortSignal) => deps.call('GET /api/router_info/', { query: { domain: reply.domain }, signal });
  const { data } = useAnswer(isWanted ? reply.domain : undefined, ask, {
    everyMs: pollEveryMs,
    isAskedOnReturn: true,
  });

  // A visitor who has left this screen meanwhile is not redirected. One may click before effects run.
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  function leaveFor(url: string): void {
    if (isShown.current) onLeave(url);
  }

  async function findFreshUrl(): Promise<string | undefined> {
    return openableUrl(await fetchCheck(deps, visit).catch(() => undefined));
  }
  /** After the wait the first ticket has expired, and the answer may have changed. */
  async function openAgain() {
    const fresh = await findFreshUrl();
    if (fresh === undefined) onAgain();
    else leaveFor(fresh);
  }
  /**
   * With a new ticket: the first one may have expired. A visitor by password has only the first one, because a new
   * check would ask for the password again.
   */
  async function openAnyway() {
    const url = (await findFreshUrl()) ?? openableUrl(reply);
    if (url !== undefined) leaveFor(url);
  }

  const settledFor = useRef<CheckReply>(undefined);
  const onState = useEffectEvent((state: string) => {
    // One change ends the wait. If the next check still says that the device is offline, the wait goes on.
    if (offlineStates.includes(state) || settledFor.current === reply) return;
    settledFor.current = reply;
    if (state === 'online') void openAgain();
    else onAgain();
  });
  useEffect(() => {
    if (data) onState(data.state);
  }, [data]);
  return { openAnyway };
}
