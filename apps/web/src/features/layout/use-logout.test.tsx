import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/client/api-error.ts';
import { show } from '../../testing/show.tsx';
import { useCountdown } from '../../ui/time/use-countdown.ts';
import { useLogout } from './use-logout.ts';

const scripts: HTMLScriptElement[] = [];
const assign = vi.spyOn(window.location, 'assign');
const logged = vi.spyOn(console, 'error');

beforeEach(() => {
  vi.useFakeTimers();
  assign.mockReset().mockReturnValue();
  logged.mockReset().mockReturnValue();
  // happy-dom would fetch the script; each test decides what it does.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => void scripts.push(nodes[0] as HTMLScriptElement));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  scripts.length = 0;
});

const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

function Console() {
  const { logOut } = useLogout();
  const { start } = useCountdown('sms-confirm');
  return (
    <>
      <button onClick={() => start(60)}>send</button>
      <button onClick={logOut}>leave</button>
    </>
  );
}

/** The console of an installation with this single sign-on host, once the configuration is loaded. */
async function openConsole({ ssoUrl = null }: { ssoUrl?: string | null } = {}): Promise<void> {
  show(<Console />, { 'GET /api/site/config/': () => ({ sso_url: ssoUrl }) });
  await pass(1);
}

test('the single sign-on host is asked, too, when the configuration had not been loaded', async () => {
  let answer: (config: unknown) => void = () => undefined;
  show(<Console />, { 'GET /api/site/config/': () => new Promise((resolve) => (answer = resolve)) });
  leave();
  await pass(300);
  expect(scripts).toEqual([]);
  answer({ sso_url: 'https://sso.example.com' });
  await pass(300);
  expect(scripts.map(({ src }) => new URL(src).pathname)).toEqual(['/wechat/logout']);
  await pass(400);
  expect(assign).toHaveBeenCalledOnce();
});

const leave = () => fireEvent.click(screen.getByText('leave'));
const countdowns = () => Object.keys(sessionStorage).filter((key) => key.startsWith('tongtu.countdown.'));

test('logging out leaves no countdown in the tab', async () => {
  await openConsole();
  fireEvent.click(screen.getByText('send'));
  expect(countdowns()).toHaveLength(1);
  leave();
  expect(countdowns()).toEqual([]);
});

test.each([
  { host: 'that is not there', ssoUrl: null, asked: [], errors: [] },
  { host: 'that never answers', ssoUrl: 'https://sso.example.com', asked: ['/wechat/logout'], errors: [] },
  { host: 'that refuses', ssoUrl: 'https://sso.example.com', asked: ['/wechat/logout'], errors: ['network'] },
])('with the single sign-on host $host the browser leaves a second later', async ({ ssoUrl, asked, errors }) => {
  await openConsole({ ssoUrl });
  leave();
  await pass(0);
  expect(scripts.map(({ src }) => new URL(src).pathname)).toEqual(asked);
  if (errors.length > 0) scripts[0]?.dispatchEvent(new Event('error'));

  await pass(999);
  expect(assign).not.toHaveBeenCalled();
  await pass(1);
  expect(assign.mock.calls).toEqual([['/custom/logout']]);
  const said = logged.mock.calls.map(([error]) => (error instanceof ApiError ? error.failure.type : error));
  expect(said).toEqual(errors);
});

test('a page that Back shows as it was left is loaded anew', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
  const shown = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  await openConsole();
  shown(true);
  expect(reload).not.toHaveBeenCalled();
  leave();
  shown(false);
  expect(reload).not.toHaveBeenCalled();
  shown(true);
  expect(reload).toHaveBeenCalledOnce();
});

test('navigation within that second does not stop the logout', async () => {
  await openConsole();
  leave();
  await pass(200);
  cleanup();

  await pass(800);
  expect(assign.mock.calls).toEqual([['/custom/logout']]);
});
