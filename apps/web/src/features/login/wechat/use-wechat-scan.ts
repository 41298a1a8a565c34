import { useEffect, useEffectEvent, useState } from 'react';
import { loadScript } from '../../../api/load-script.ts';
import { longPoll } from '../../../api/client/long-poll.ts';
import { setStateCookie, makeState } from './wechat-state.ts';
import { forgetPendingLogin, readPendingState } from './wechat-note.ts';
import { resumeLogin, runWechatFlow, type ScanStep, type WechatCode } from './wechat-flow.ts';

export type WechatScanState = ScanStep | { type: 'entering' } | { type: 'failed'; error: unknown };

const restMs = 2_000;

/** A short delay. It ends early when the network is back, the tab becomes visible or the signal aborts. */
function delay(signal: AbortSignal): Promise<void> {
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

const deps = { loadScript, longPoll, makeState, setStateCookie, wallClockMs: () => Date.now(), delay };

/** Shows QR codes, a new one after each refresh, and returns the code of the confirmed login. */
export function useWechatScan(ssoUrl: string, onCode: (code: WechatCode) => Promise<void>) {
  const [state, setState] = useState<WechatScanState>({ type: 'loading' });
  const [round, setRound] = useState(0);

  const onConfirmedCode = useEffectEvent(onCode);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const show = (next: WechatScanState) => {
      if (!signal.aborted) setState(next);
    };
    async function run() {
      // Without query and fragment, which the host need not know.
      const from = `${location.origin}${location.pathname}`;
      const flow = { ssoUrl, from, signal, show };
      const left = readPendingState();
      const found = left === undefined ? undefined : await resumeLogin(deps, flow, left);
      if (signal.aborted) return;
      forgetPendingLogin();
      const code = found ?? (await runWechatFlow(deps, flow));
      if (!code || signal.aborted) return;
      forgetPendingLogin();
      show({ type: 'entering' });
      await onConfirmedCode(code);
    }
    run().catch((error: unknown) => show({ type: 'failed', error }));
    return () => ended.abort();
  }, [ssoUrl, round]);

  return { state, refresh: () => setRound((count) => count + 1) };
}
