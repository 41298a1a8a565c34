import type { SsoLogin } from '@tongtu/contract';
import { SSO_DECIDE_SECONDS, SSO_SHOWN_SECONDS } from '@tongtu/contract/sso-times';
import { ApiError } from '../../../api/client/api-error.ts';
import type { loadScript } from '../../../api/load-script.ts';
import type { longPoll, PollEvent } from '../../../api/client/long-poll.ts';

export type WechatCode = { code: string; state: string };

export type ScanStep =
  | { type: 'loading' }
  | {
      type: 'waiting' | 'scanned';
      state: string;
      image: string;
      isFake: boolean;
      endsAtMs: number;
      isOffline: boolean;
    }
  | { type: 'cancelled' | 'expired' };

export type FlowDeps = {
  loadScript: typeof loadScript;
  longPoll: typeof longPoll;
  makeState: () => string;
  setStateCookie: (state: string) => void;
  wallClockMs: () => number;
  /** Resolves after a short delay, or as soon as the network is back. */
  delay: (signal: AbortSignal) => Promise<void>;
};

type Flow = { ssoUrl: string; from: string; signal: AbortSignal; show: (step: ScanStep) => void };

const giveUpMs = SSO_SHOWN_SECONDS * 1000;
const decideMs = SSO_DECIDE_SECONDS * 1000;
/** Fewer tries before the first QR code than while a user looks at one. */
const firstTries = 3;
const askTimeoutMs = 10_000;

/** The code of a login for which this tab opened WeChat's page, if it was confirmed meanwhile. */
export async function resumeLogin(deps: FlowDeps, flow: Flow, state: string): Promise<WechatCode | undefined> {
  const { signal } = flow;
  for (let tries = 0; tries < firstTries && !signal.aborted; tries++) {
    try {
      const login = await askLogin(deps, flow, { state, signal });
      return login.status === 'ok' ? { code: login.code, state } : undefined;
    } catch (error) {
      if (signal.aborted) break;
      warnInterrupted(error);
      await deps.delay(signal);
    }
  }
  return undefined;
}

/**
 * Runs one QR code of the single sign-on host: shown, scanned, confirmed. Resolves with the login code, or with
 * undefined when the login was cancelled, has expired or the signal aborted; `show` has received which. Throws ApiError
 * when there is no QR code.
 */
export async function runWechatFlow(deps: FlowDeps, flow: Flow): Promise<WechatCode | undefined> {
  const { signal, show } = flow;
  const state = deps.makeState();
  const startedAtMs = deps.wallClockMs();
  const end = new AbortController();
  const until = AbortSignal.any([signal, end.signal]);
  let endsAtMs = startedAtMs + giveUpMs;
  let timer = setTimeout(() => end.abort(), giveUpMs);
  let sinceTimeMs = startedAtMs;
  let isScanned = false;
  let qrCode: QrCode | undefined;
  let failures = 0;
  const report = (isOffline: boolean): void => {
    if (qrCode) show({ type: isScanned ? 'scanned' : 'waiting', state, ...qrCode, endsAtMs, isOffline });
  };

  show({ type: 'loading' });
  try {
    while (!until.aborted && deps.wallClockMs() < endsAtMs) {
      try {
        // Fetched again after every failure: the host knows about confirmations meanwhile, whatever the clocks say.
        const login = await askLogin(deps, flow, { state, signal: until });
        if (login.status === 'ok') return { code: login.code, state };
        // Counted from the receipt. The host counts from the creation, so it always expires the code first.
        if (!qrCode) endAt(deps.wallClockMs() + giveUpMs);
        qrCode = { image: login.image, isFake: login.fake === true };
        report(false);
        const outcome = await follow();
        if (outcome === 'cancelled') {
          show({ type: 'cancelled' });
          return undefined;
        }
      } catch (error) {
        if (until.aborted) break;
        if (!qrCode && ++failures >= firstTries) throw error;
        warnInterrupted(error);
        report(true);
        await deps.delay(until);
      }
    }
    if (!signal.aborted) show({ type: 'expired' });
    return undefined;
  } finally {
    clearTimeout(timer);
    end.abort();
  }

  /** Resolves when the login is decided or the time is up; throws when the connection fails. */
  async function follow(): Promise<'confirmed' | 'cancelled' | undefined> {
    while (deps.wallClockMs() < endsAtMs) {
      const category = `weixinoauth-${state}`;
      const answer = await deps.longPoll(`${flow.ssoUrl}/events`, { category, sinceTimeMs, signal: until });
      if (answer.type === 'error') throw new Error(answer.message);
      // The host's own times from now on, because this machine's clock may be wrong.
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

  /** A user has scanned the code: extends the time to confirm. */
  function keepWaiting(): void {
    isScanned = true;
    endAt(endsAtMs + decideMs);
    report(false);
  }

  function endAt(ms: number): void {
    endsAtMs = ms;
    clearTimeout(timer);
    timer = setTimeout(() => end.abort(), ms - deps.wallClockMs());
  }
}

function warnInterrupted(error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser console is the only log here
  console.warn('waiting for the login by WeChat was interrupted', error);
}

type QrCode = { image: string; isFake: boolean };

async function askLogin(
  deps: FlowDeps,
  { ssoUrl, from }: Flow,
  { state, signal }: { state: string; signal: AbortSignal },
): Promise<SsoLogin> {
  deps.setStateCookie(state);
  const login = await deps.loadScript(`${ssoUrl}/wechat/login`, {
    query: { from, state },
    timeoutMs: askTimeoutMs,
    signal,
  });
  if (!isLogin(login)) throw new ApiError({ type: 'unreadable', status: 200 });
  deps.setStateCookie(state);
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
