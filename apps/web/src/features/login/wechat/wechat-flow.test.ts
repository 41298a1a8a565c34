import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/client/api-error.ts';
import type { PollAnswer } from '../../../api/client/long-poll.ts';
import { resumeLogin, type FlowDeps, runWechatFlow, type ScanStep } from './wechat-flow.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

type Script = (() => unknown)[];
const pending = () => ({ status: 'pending', image: 'https://sso/scan' });
const ok = () => ({ status: 'ok', code: 'code-1' });
const event = (status: string, timestamp: number) => (): PollAnswer => ({
  type: 'events',
  events: [{ timestamp, data: { status } }],
});
const fail = () => {
  throw new Error('network');
};

/**
 * A fake single sign-on host with canned answers for logins and polls. After the last poll it never answers. `left` is
 * a state.
 */
function play({ logins, polls = [], left }: { logins: Script; polls?: Script; left?: string }) {
  const steps: ScanStep[] = [];
  const since: number[] = [];
  const cookieStates: string[] = [];
  const ended = new AbortController();
  const deps: FlowDeps = {
    loadScript: async () => (logins.length > 1 ? logins.shift() : logins[0])?.(),
    longPoll: async (_url, { sinceTimeMs, signal }) => {
      since.push(sinceTimeMs);
      const answer = polls.shift();
      if (answer) return answer() as PollAnswer; // the tests' own answers
      return await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
      });
    },
    makeState: () => 'state-1',
    setStateCookie: (state) => void cookieStates.push(state),
    wallClockMs: () => Date.now(),
    delay: async () => undefined,
  };
  const show = (step: ScanStep) => void steps.push(step);
  const flow = { ssoUrl: '/sso', from: 'http://localhost/', signal: ended.signal, show };
  const outcome = left === undefined ? runWechatFlow(deps, flow) : resumeLogin(deps, flow, left);
  return { outcome, steps, since, cookieStates, end: () => ended.abort(), types: () => steps.map(({ type }) => type) };
}

test('a QR code is shown, scanned and confirmed, and its login code is returned with the cookie set', async () => {
  const { outcome, types, cookieStates } = play({
    logins: [pending, ok],
    polls: [event('scanned', 5), event('confirmed', 9)],
  });

  expect(await outcome).toEqual({ code: 'code-1', state: 'state-1' });
  expect(types()).toEqual(['loading', 'waiting', 'scanned']);
  expect(cookieStates.at(-1)).toBe('state-1');
});

test('the first poll starts at the current time, later ones at the host’s times', async () => {
  const { outcome, since } = play({
    logins: [pending, ok],
    polls: [() => ({ type: 'timeout', timestamp: 77 }), event('scanned', 80), event('confirmed', 90)],
  });
  await outcome;

  expect(since).toEqual([1_000_000, 77, 80]);
});

test('a cancelled login ends without a code', async () => {
  const { outcome, types } = play({ logins: [pending], polls: [event('cancelled', 5)] });

  expect(await outcome).toBeUndefined();
  expect(types().at(-1)).toBe('cancelled');
});

test('after a connection failure the login is fetched again, and a confirmation during it counts', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { outcome, steps } = play({ logins: [fail, pending, ok], polls: [fail] });

  expect(await outcome).toEqual({ code: 'code-1', state: 'state-1' });
  expect(steps).toContainEqual(expect.objectContaining({ type: 'waiting', isOffline: true }));
  expect(warn).toHaveBeenCalledTimes(2);
});

test('an unreachable host is given up after three tries, with its error', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const away = new ApiError({ type: 'network' });
  const unreachable = () => {
    throw away;
  };
  const { outcome, types, cookieStates } = play({ logins: [unreachable], polls: [] });

  await expect(outcome).rejects.toBe(away);
  expect(types()).toEqual(['loading']);
  expect(cookieStates).toHaveLength(3);
});

test('a host that refuses is not asked for ever', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const { outcome, since } = play({
    logins: [pending, pending, ok],
    polls: [() => ({ type: 'error', message: 'Invalid' })],
  });
  await vi.advanceTimersByTimeAsync(120_000);

  expect(await outcome).toBeUndefined();
  expect(since).toHaveLength(2);
});

test('after 120 seconds the flow ends; a scanned code has longer to be confirmed', async () => {
  const idle = play({ logins: [pending], polls: [] });
  const scanned = play({ logins: [pending], polls: [event('scanned', 5)] });

  await vi.advanceTimersByTimeAsync(119_999);
  expect(idle.types().at(-1)).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(idle.types().at(-1)).toBe('expired');
  expect(scanned.types().at(-1)).toBe('scanned');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(scanned.types().at(-1)).toBe('expired');
  expect(await Promise.all([idle.outcome, scanned.outcome])).toEqual([undefined, undefined]);
});

test('the time of a QR code starts when it has arrived, however long the host took', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const slow = (): never => {
    vi.setSystemTime(1_000_000 + 20_000);
    throw new Error('network');
  };
  const { types } = play({ logins: [slow, pending], polls: [] });

  await vi.advanceTimersByTimeAsync(119_999);
  expect(types().at(-1)).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(types().at(-1)).toBe('expired');
});

test('a QR code has expired on a machine that slept past its end', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const asleep = (): never => {
    vi.setSystemTime(1_000_000 + 3_600_000); // no timer has run
    throw new Error('network');
  };
  const { outcome, types } = play({ logins: [pending], polls: [asleep] });

  expect(await outcome).toBeUndefined();
  expect(types().at(-1)).toBe('expired');
});

test('a screen that was left reports nothing more', async () => {
  const { outcome, end, types } = play({ logins: [pending], polls: [] });
  await vi.advanceTimersByTimeAsync(1);
  end();

  expect(await outcome).toBeUndefined();
  expect(types()).toEqual(['loading', 'waiting']);
});

test('an invalid answer is not accepted', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const { outcome } = play({ logins: [() => ({ status: 'ok' }), () => 'code', ok], polls: [] });

  expect(await outcome).toEqual({ code: 'code-1', state: 'state-1' });
});

test('a tab that returns from WeChat’s page continues with the state that it stored', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const confirmed = play({ logins: [fail, ok], left: 'state-0' });
  const undecided = play({ logins: [pending], left: 'state-0' });
  const unreachable = play({ logins: [fail], left: 'state-0' });

  expect(await confirmed.outcome).toEqual({ code: 'code-1', state: 'state-0' });
  expect(confirmed.cookieStates).toEqual(['state-0', 'state-0', 'state-0']);
  expect(await undecided.outcome).toBeUndefined();
  expect(await unreachable.outcome).toBeUndefined();
  expect(unreachable.cookieStates).toHaveLength(3);
});
