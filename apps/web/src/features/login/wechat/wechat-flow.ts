import type { SsoLogin } from '@tongtu/contract';
import { SSO_DECIDE_SECONDS, SSO_SHOWN_SECONDS } from '@tongtu/contract/sso-times';
import { ApiError, type loadScript, type longPoll, type PollEvent } from '../../../api/index.ts';

export type WechatCode = { code: string; state: string };

export type ScanStep =
  | { type: 'loading' }
  | {
      type: 'waiting' | 'scanned';
      state: string;
      image: string;
      isStandIn: boolean;
      endsAtMs: number;
      isOffline: boolean;
    }
  | { type: 'cancelled' | 'expired' };

export type FlowDeps = {
  loadScript: typeof loadScript;
  longPoll: typeof longPoll;
  makeState: () => string;
  holdState: (state: string) => void;
  nowMs: () => number;
  /** Resolves after a moment, or as soon as the network is back. */
  rest: (signal: AbortSignal) => Promise<void>;
};

type Flow = { ssoUrl: string; from: string; signal: AbortSignal; show: (step: ScanStep) => void };

const giveUpMs = SSO_SHOWN_SECONDS * 1000;
const decideMs = SSO_DECIDE_SECONDS * 1000;
/** A host that has shown nothing yet is not waited for as long as one whose picture somebody is looking at. */
const firstTries = 3;
const askTimeoutMs = 10_000;

/** The code of a login that this view was left for, when it was confirmed meanwhile. */
export async function askForLeft(deps: FlowDeps, flow: Flow, state: string): Promise<WechatCode | undefined> {
  const { signal } = flow;
  for (let tries = 0; tries < firstTries && !signal.aborted; tries++) {
    try {
      const login = await askLogin(deps, flow, { state, signal });
      return login.status === 'ok' ? { code: login.code, state } : undefined;
    } catch (error) {
      if (signal.aborted) break;
      warnOfBreak(error);
      await deps.rest(signal);
    }
  }
  return undefined;
}

/**
 * One picture's life at the single sign-on host: shown, scanned, confirmed. Resolves with the code, or with undefined
 * when it was cancelled, has expired or the signal ended it; `show` was told which. Throws ApiError when there is no
 * picture to be had.
 */
export async function runWechatFlow(deps: FlowDeps, flow: Flow): Promise<WechatCode | undefined> {
  const { signal, show } = flow;
  const state = deps.makeState();
  const startedAtMs = deps.nowMs();
  const end = new AbortController();
  const until = AbortSignal.any([signal, end.signal]);
  let endsAtMs = startedAtMs + giveUpMs;
  let timer = setTimeout(() => end.abort(), giveUpMs);
  let sinceTimeMs = startedAtMs;
  let isScanned = false;
  let picture: Picture | undefined;
  let failures = 0;
  const tell = (isOffline: boolean): void => {
    if (picture) show({ type: isScanned ? 'scanned' : 'waiting', state, ...picture, endsAtMs, isOffline });
  };

  show({ type: 'loading' });
  try {
    while (!until.aborted && deps.nowMs() < endsAtMs) {
      try {
        // Asked anew after every break: what was confirmed meanwhile is known there, whatever the clocks say.
        const login = await askLogin(deps, flow, { state, signal: until });
        if (login.status === 'ok') return { code: login.code, state };
        // Counted from here, so that the host, which counts from when it made the picture, is never the later one.
        if (!picture) endAt(deps.nowMs() + giveUpMs);
        picture = { image: login.image, isStandIn: login.stand_in === true };
        tell(false);
        const outcome = await follow();
        if (outcome === 'cancelled') {
          show({ type: 'cancelled' });
          return undefined;
        }
      } catch (error) {
        if (until.aborted) break;
        if (!picture && ++failures >= firstTries) throw error;
        warnOfBreak(error);
        tell(true);
        await deps.rest(until);
      }
    }
    if (!signal.aborted) show({ type: 'expired' });
    return undefined;
  } finally {
    clearTimeout(timer);
    end.abort();
  }

  /** Until it is decided, the time is up or the line breaks. */
  async function follow(): Promise<'confirmed' | 'cancelled' | undefined> {
    while (deps.nowMs() < endsAtMs) {
      const category = `weixinoauth-${state}`;
      const answer = await deps.longPoll(`${flow.ssoUrl}/events`, { category, sinceTimeMs, signal: until });
      if (answer.type === 'error') throw new Error(answer.message);
      // The host's own times from here on: this machine's clock may be wrong.
      if (answer.type === 'timeout') sinceTimeMs = answer.timestamp;
      for (const event of answer.type === 'events' ? answer.events : []) {
        sinceTimeMs = event.timestamp;
        const status = statusOf(event);
        if (status === 'scanned') keepWaiting();
        if (status === 'confirmed' || status === 'cancelled') return status;
      }
    }
    return undefined;
  }

  /** Somebody is at the phone: the page does not give up under their hands. */
  function keepWaiting(): void {
    isScanned = true;
    endAt(endsAtMs + decideMs);
    tell(false);
  }

  function endAt(ms: number): void {
    endsAtMs = ms;
    clearTimeout(timer);
    timer = setTimeout(() => end.abort(), ms - deps.nowMs());
  }
}

function warnOfBreak(error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser's console is the page's only log
  console.warn('waiting for the login by WeChat was interrupted', error);
}

type Picture = { image: string; isStandIn: boolean };

async function askLogin(
  deps: FlowDeps,
  { ssoUrl, from }: Flow,
  { state, signal }: { state: string; signal: AbortSignal },
): Promise<SsoLogin> {
  deps.holdState(state);
  const login = await deps.loadScript(`${ssoUrl}/wechat/login`, {
    query: { from, state },
    timeoutMs: askTimeoutMs,
    signal,
  });
  if (!isLogin(login)) throw new ApiError({ type: 'unreadable', status: 200 });
  deps.holdState(state);
  return login;
}

function isLogin(answer: unknown): answer is SsoLogin {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return false;
  if (answer.status === 'ok') return 'code' in answer && typeof answer.code === 'string';
  return answer.status === 'pending' && 'image' in answer && typeof answer.image === 'string';
}

function statusOf({ data }: PollEvent): unknown {
  return typeof data === 'object' && data !== null && 'status' in data ? data.status : undefined;
}
