import type { CheckReply } from '@tongtu/contract';
import { useSending } from '../../ui/fields/use-sending.ts';
import { createCaptcha } from '../captcha/create-captcha.ts';
import { forgetCountdowns } from '../../ui/time/countdown-notes.ts';
import type { GateDeps, Visit } from './gate-deps.ts';
import { useAnswer } from './use-answer.ts';

const profileTimeoutMs = 5000;

/** Whether this browser's network may pass at `url`; undefined until that is known. */
export function useRegisteredIp({ call }: GateDeps, url: string) {
  const ask = (signal: AbortSignal) => call('POST /ip/checkUserDidRegisterIP', { body: { url }, signal });
  return useAnswer(url, ask, { isAskedOnReturn: true }).data;
}

/** The opening times, fetched only when they are the reason of the refusal. */
export function useOpeningTimes({ call }: GateDeps, domain: string, isWanted: boolean) {
  const ask = (signal: AbortSignal) => call('GET /api/router_info/', { query: { domain }, signal });
  return useAnswer(isWanted ? domain : undefined, ask).data;
}

/**
 * Sends the access password, after a captcha if the server requires one. An admission or another reason goes to
 * `onReply`; `onUnsolved` is called when the user closed the captcha.
 */
export function useEnterPassword(
  deps: GateDeps,
  { url }: Visit,
  on: { onReply: (reply: CheckReply) => void; onUnsolved: () => void },
) {
  return useSending(async (password: string) => {
    const captcha = createCaptcha({ call: deps.call, ask: deps.solve, purpose: 'gate_password' });
    const reply = await captcha.sendSolved(
      (solved) => deps.call('POST /custom/check/', { body: { url, password, ...solved } }),
      undefined,
    );
    if (reply === undefined) on.onUnsolved();
    else on.onReply(reply);
  });
}

export function useAccountName({ call }: GateDeps): string {
  const ask = async (signal: AbortSignal) => {
    const profiles = await call('GET /api/profile/', { signal, timeoutMs: profileTimeoutMs });
    return profiles[0]?.username;
  };
  return useAnswer('profile', ask).data ?? '';
}

/** Asks the owner to let this account in. */
export function useRequestAccess({ call }: GateDeps, { url }: Visit, onRequested: () => void) {
  return useSending(async (message: string) => {
    await call('POST /custom/check/request/', { body: { url, message } });
    onRequested();
  });
}

export function useSwitchAccount(deps: GateDeps, onLoggedOut: () => void) {
  return useSending(async () => {
    await deps.endSession();
    forgetCountdowns();
    deps.forgetUser();
    onLoggedOut();
  });
}
