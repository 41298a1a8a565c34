import { SSO_STATE_COOKIE, type SsoLogin } from '@tongtu/contract';
import { pino } from 'pino';
import type { OpenDb } from '../../../db/driver.ts';
import { openTestApp, type TestApp, type TestBrowser } from '../../../testing/apps/open-test-app.ts';
import { registerSsoHost, type SsoHost } from '../sso-host.ts';
import { createSecret } from '../sso-secret.ts';
import { fakePeople } from '../fake-wechat/fake-people.ts';
import { startFakeWechat, type FakeWechat } from '../fake-wechat/start-fake-wechat.ts';
import { createWechatApp, type WechatAppConfig } from '../phone/wechat-app.ts';

const wechatHeaders = { 'user-agent': 'Mozilla/5.0 (Linux; Android 16) MicroMessenger/8.0.61' };

export type TestSso = AsyncDisposable & Pick<TestApp, 'app' | 'browser'> & { host: SsoHost; fakeWechat: FakeWechat };

export type TestSsoOptions = { wechat?: Partial<WechatAppConfig>; register?: Parameters<typeof openTestApp>[1] };

/** Opens the single sign-on host with a fake WeChat, called without a socket. */
export async function openTestSso(
  open: Pick<OpenDb, 'db' | 'listen'>,
  { wechat, register }: TestSsoOptions = {},
): Promise<TestSso> {
  await using parts = new AsyncDisposableStack();
  const fakeWechat = parts.use(await startFakeWechat());
  const hosts: SsoHost[] = [];
  const { app, browser } = parts.use(
    await openTestApp(open.db, async (scope) => {
      const deps = {
        ...open,
        log: pino({ level: 'silent' }),
        key: Buffer.alloc(32, 5),
        url: 'http://localhost/sso',
        wechat: createWechatApp({ ...fakeWechat.app, ...wechat }),
        placeOf: () => '浙江省杭州市',
      };
      hosts.push(parts.use(await registerSsoHost(scope, deps)));
      await register?.(scope);
    }),
  );
  const [host] = hosts;
  if (!host) throw new Error('the host was not registered');
  const running = parts.move();
  return { app, browser, host, fakeWechat, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** A desktop browser with its login. */
export type Desktop = { browser: TestBrowser; state: string; image: string };

function readScript(text: string): SsoLogin {
  const json = /^\/\*\*\/cb\((.*)\);$/s.exec(text)?.[1];
  if (json === undefined) throw new Error(`not a script that calls cb: ${text}`);
  return JSON.parse(json) as SsoLogin; // the test looks at it
}

export async function fetchLogin({ browser, state }: Pick<Desktop, 'browser' | 'state'>): Promise<SsoLogin> {
  const query = new URLSearchParams({ from: 'http://localhost/', state, callback: 'cb' });
  return readScript((await browser.call('GET', `/sso/wechat/login?${query.toString()}`)).text);
}

/** Begins a login: creates a state, sets its cookie and fetches the QR code. */
export async function openDesktop(sso: TestSso, browser = sso.browser()): Promise<Desktop> {
  const state = createSecret();
  browser.cookies.set(SSO_STATE_COOKIE, state);
  const login = await fetchLogin({ browser, state });
  if (login.status !== 'pending') throw new Error('confirmed before it was scanned');
  return { browser, state, image: login.image };
}

export type TestPhone = {
  browser: TestBrowser;
  get: (url: string) => ReturnType<TestBrowser['call']>;
  /** Scans the QR code. Returns the `state` with which the phone is redirected to WeChat. */
  scan: (image: string) => Promise<string>;
  /** Returns from WeChat with the code, or without one, as after a refusal. */
  returnFromWechat: (oauthState: string, code?: string) => ReturnType<TestBrowser['call']>;
  decide: (image: string, decision: string) => ReturnType<TestBrowser['call']>;
};

export function openPhone(sso: TestSso): TestPhone {
  const browser = sso.browser();
  const get = async (url: string) => await browser.call('GET', pathOf(url), undefined, wechatHeaders);
  return {
    browser,
    get,
    async scan(image) {
      const { headers, text } = await get(image);
      const { location } = headers;
      if (typeof location !== 'string') throw new Error(`not sent to WeChat: ${text}`);
      return new URL(location).searchParams.get('state') ?? '';
    },
    async returnFromWechat(oauthState, code) {
      const query = new URLSearchParams({ ...(code !== undefined && { code }), state: oauthState });
      return await get(`/sso/wechat/callback?${query.toString()}`);
    },
    async decide(image, decision) {
      const form = new URLSearchParams({ t: scanTokenOf(image), decision }).toString();
      const headers = { ...wechatHeaders, 'content-type': 'application/x-www-form-urlencoded' };
      return await browser.call('POST', '/sso/wechat/confirm', form, headers);
    },
  };
}

export function issueCode(sso: TestSso, person = 0): string {
  const found = fakePeople[person];
  if (!found) throw new Error(`no person ${person}`);
  return sso.fakeWechat.codes.issueCode(found);
}

/** Does all steps at the phone: scans, consents at WeChat, confirms. */
export async function confirmByPhone(sso: TestSso, image: string, person = 0): Promise<void> {
  const phone = openPhone(sso);
  await phone.returnFromWechat(await phone.scan(image), issueCode(sso, person));
  await phone.decide(image, 'confirmed');
}

/** Fetches the code after the phone has confirmed. */
export async function fetchCode(desktop: Desktop): Promise<string> {
  const login = await fetchLogin(desktop);
  if (login.status !== 'ok') throw new Error('not confirmed');
  return login.code;
}

export function scanTokenOf(image: string): string {
  return new URL(image).searchParams.get('t') ?? '';
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}
