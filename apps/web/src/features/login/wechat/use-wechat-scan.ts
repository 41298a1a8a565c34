import { useEffect, useEffectEvent, useState } from 'react';
import { loadScript, longPoll } from '../../../api/index.ts';
import { holdState, makeState } from './wechat-state.ts';
import { forgetLeaving, readStateLeft } from './wechat-note.ts';
import { askForLeft, runWechatFlow, type ScanStep, type WechatCode } from './wechat-flow.ts';

export type WechatScanState = ScanStep | { type: 'entering' } | { type: 'failed'; error: unknown };

const restMs = 2_000;

/** A little while, ended early when the network comes back, the page is looked at again or the wait is over. */
function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const finish = () => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(finish, restMs);
    const options = { signal: done.signal };
    window.addEventListener('online', finish, options);
    document.addEventListener('visibilitychange', finish, options);
    signal.addEventListener('abort', finish, options);
  });
}

const deps = { loadScript, longPoll, makeState, holdState, nowMs: () => Date.now(), rest };

/** Shows one picture after another, as they are refreshed; hands over the code of the one that was confirmed. */
export function useWechatScan(ssoUrl: string, onCode: (code: WechatCode) => Promise<void>) {
  const [state, setState] = useState<WechatScanState>({ type: 'loading' });
  const [round, setRound] = useState(0);

  const handOver = useEffectEvent(onCode);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const show = (next: WechatScanState) => {
      if (!signal.aborted) setState(next);
    };
    async function run() {
      // Without what stands behind it: the page's address may hold more than the host needs to know.
      const from = `${location.origin}${location.pathname}`;
      const flow = { ssoUrl, from, signal, show };
      const left = readStateLeft();
      const found = left === undefined ? undefined : await askForLeft(deps, flow, left);
      if (signal.aborted) return;
      forgetLeaving();
      const code = found ?? (await runWechatFlow(deps, flow));
      if (!code || signal.aborted) return;
      forgetLeaving();
      show({ type: 'entering' });
      await handOver(code);
    }
    run().catch((error: unknown) => show({ type: 'failed', error }));
    return () => ended.abort();
  }, [ssoUrl, round]);

  return { state, refresh: () => setRound((count) => count + 1) };
}
