import type { Profile } from '@tongtu/contract';
import { createRoot } from 'react-dom/client';
import type { Api } from '../api/api-context.ts';
import { ApiError } from '../api/api-error.ts';
import { createClient } from '../api/client.ts';
import { readCsrfToken } from '../api/read-csrf-token.ts';
import { documentTitle } from '../document-title.ts';
import type { GateDeps } from '../features/check/gate-deps.ts';
import type { SolveCaptcha } from '../features/captcha/create-captcha.ts';
import { firstMethod, offeredMethods } from '../features/login/sign-in-methods.ts';
import { readPendingPlace } from '../features/login/wechat/wechat-note.ts';
import { decideErrorport, decideHome } from '../guards.ts';
import { forgottenPassword, paths, secondStepState, withQuery } from '../paths.ts';
import { routeTitles } from '../text/routes.ts';
import { isNarrowWindow } from '../ui/use-media-query.ts';
import { noteUser } from './known-user.ts';
import { NotLoaded } from './not-loaded.tsx';

/** Specification §9. */
const profileTimeoutMs = 5000;
const announcementsTimeoutMs = 5000;

export type StartPageDeps = {
  fetch: typeof globalThis.fetch;
  container: HTMLElement;
  report: (error: unknown) => void;
  /** Resolves when the styles of the first screen are there: without them everything would move. */
  stylesLoaded: Promise<void>;
  /** Loads the console, which shows the place in the address once `open` is called. */
  loadConsole: () => Promise<{ open: () => void }>;
  loadCaptcha: () => Promise<{ solveCaptcha: (api: Api) => SolveCaptcha }>;
  /** The console will probably be needed next. */
  preloadConsole: () => void;
};

type Place = { pathname: string; search: string; query: URLSearchParams };

function placeHere(): Place {
  const [pathname = '', ...rest] = window.location.hash.slice(1).split('?');
  const text = rest.join('?');
  return {
    pathname: pathname === '' ? paths.home : pathname,
    search: text === '' ? '' : `?${text}`,
    query: new URLSearchParams(text),
  };
}

/**
 * Starts in the order of specification §1: announcements first, then a screen, whether or not they arrived. The gate and
 * the login by password are shown without the console's libraries; everything else is the console's. Returns a function
 * that stops everything.
 */
export async function startPage(deps: StartPageDeps): Promise<() => void> {
  const { container, report } = deps;
  let shownUserId: number | undefined;
  const readToken = () => readCsrfToken(document.cookie, window.location.protocol);
  const { call } = createClient({
    origin: '',
    fetch: deps.fetch,
    readCsrfToken: readToken,
    readShownUserId: () => shownUserId,
    onSessionLost: () => undefined,
    onSessionChanged: () => window.location.reload(),
  });

  async function loadProfile(): Promise<Profile | null> {
    const [profile] = await call('GET /api/profile/', { timeoutMs: profileTimeoutMs });
    const isIn = profile !== undefined && profile.token !== '' && profile.id > 0;
    shownUserId = isIn ? profile.id : undefined;
    noteUser(isIn);
    return isIn ? profile : null;
  }

  const root = createRoot(container);
  const ended = new AbortController();

  async function openConsole() {
    ended.abort();
    try {
      const { open } = await deps.loadConsole();
      root.unmount();
      open();
    } catch (error) {
      showFailure(error);
    }
  }
  function openConsoleAt(path: string, state: unknown) {
    // As the console's router stores the state of a place.
    window.history.replaceState({ usr: state, key: 'default', idx: 0 }, '', `#${path}`);
    void openConsole();
  }
  /** Files did not arrive. */
  function showFailure(error: unknown) {
    report(error);
    root.render(<NotLoaded />);
  }

  const logoutUrl = () => withQuery('/custom/logout', { user: shownUserId?.toString(), csrf: readToken() });
  /** Only the session of the user that the gate has named. */
  async function endSession() {
    try {
      if (shownUserId === undefined) await loadProfile();
      await deps.fetch(logoutUrl(), { credentials: 'same-origin', redirect: 'manual' });
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError({ type: 'network' }, { cause: error });
    }
  }

  const gateDeps: GateDeps = {
    call,
    endSession,
    solve: async (purpose, options) => {
      const { solveCaptcha } = await deps.loadCaptcha().catch((cause: unknown) => {
        throw new ApiError({ type: 'network' }, { cause });
      });
      const leaveForLogin = () => goTo(paths.login);
      return await solveCaptcha({ call, endSession, logoutUrl, leaveForLogin })(purpose, options);
    },
    goTo,
    goToSecondStep: (need, path) => openConsoleAt(path, secondStepState(need)),
    goToForgotten: (path) => openConsoleAt(path, forgottenPassword),
    forgetUser: () => {
      shownUserId = undefined;
    },
  };

  function goTo(path: string, { isReplacing = false }: { isReplacing?: boolean } = {}) {
    if (isReplacing) window.location.replace(`#${path}`);
    else window.location.hash = path;
  }

  function setTitle(title: string) {
    document.title = documentTitle(title);
  }

  async function showGate({ query }: Place) {
    setTitle(routeTitles.check);
    const [{ Gate }] = await Promise.all([import('../features/check/gate.tsx'), deps.stylesLoaded]);
    const visit = { url: query.get('url') ?? '', share: query.get('share') || undefined };
    root.render(<Gate deps={gateDeps} visit={visit} />);
  }

  async function showLogin(place: Place) {
    setTitle(routeTitles.login);
    // Both at once, and nothing is drawn before: a card that grows would move its fields.
    const [{ SmallLogin }, site] = await Promise.all([
      import('./small-login.tsx'),
      call('GET /api/site/config/').catch(() => undefined),
      deps.stylesLoaded,
    ]);
    if (firstMethod(offeredMethods(site, isNarrowWindow())) !== 'password') return await openConsole();
    root.render(
      <SmallLogin
        deps={gateDeps}
        site={site}
        query={place.query}
        onOtherMethod={() => void openConsole()}
        onLoggedIn={() => {
          noteUser(true);
          void openConsole();
        }}
      />,
    );
    deps.preloadConsole();
    return undefined;
  }

  /** Where an anonymous client is redirected, as the console's guards decide; undefined where it may stay. */
  function loginPlaceFor({ pathname, search }: Place): string | undefined {
    if (pathname === paths.login) return undefined;
    const isKnown = Object.values<string>(paths).includes(pathname);
    const visit = { isLoggedIn: false, pathname: isKnown ? pathname : paths.home, search: isKnown ? search : '' };
    const decision = pathname === paths.errorport ? decideErrorport(visit) : decideHome(visit);
    return decision.type === 'go' ? decision.to : undefined;
  }

  async function show() {
    const place = placeHere();
    if (place.pathname === paths.check) return await showGate(place);
    // WeChat's page returns here; the console continues its login.
    if (readPendingPlace() !== undefined) return await openConsole();
    if (place.pathname === paths.join) return await openConsole();
    const profile = await loadProfile().catch(() => undefined);
    if (ended.signal.aborted) return undefined;
    // Without an answer the console shows the failure, and the login its form.
    if (profile || (profile === undefined && place.pathname !== paths.login)) return await openConsole();
    const to = loginPlaceFor(place);
    if (to !== undefined) return goTo(to, { isReplacing: true });
    return await showLogin(place);
  }

  await call('GET /api/announcement/announcements/', { timeoutMs: announcementsTimeoutMs }).catch(report);
  const showSafely = () => void show().catch(showFailure);
  window.addEventListener('hashchange', showSafely, { signal: ended.signal });
  showSafely();
  return () => {
    ended.abort();
    root.unmount();
  };
}
