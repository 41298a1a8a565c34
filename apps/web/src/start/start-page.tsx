import type { Profile } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Api } from '../api/api-context.ts';
import { ApiError } from '../api/client/api-error.ts';
import { createClient } from '../api/client/client.ts';
import { failImport } from '../api/client/failed-import.ts';
import { readCsrfToken } from '../api/client/read-csrf-token.ts';
import { documentTitle } from '../routing/document-title.ts';
import type { GateDeps } from '../features/check/gate-deps.ts';
import type { SolveCaptcha } from '../features/captcha/create-captcha.ts';
import { placeToGoBackTo } from '../features/login/wechat/wechat-note.ts';
import { decideErrorport, decideHome, isWebUrl, ownPageUrl } from '../routing/guards.ts';
import { isScreenPath, paths, readScreenState, screenState, withQuery } from '../routing/paths.ts';
import { routeTitles } from '../text/routes.ts';
import { createDialogStack, type DialogStack } from '../ui/dialog/dialog-stack.ts';
import { DialogStackProvider } from '../ui/dialog/use-open-dialog.ts';
import { FailureBoundary } from './failure-boundary.tsx';
import { noteUser } from './known-user.ts';
import { NotLoaded } from './not-loaded.tsx';
import type { StartFailures } from './start-failures.ts';

/** Specification §9. */
const profileTimeoutMs = 5000;
const announcementsTimeoutMs = 5000;

/** The console's files are requested after those of the login form. */
const preloadAfterMs = 1000;

export type StartPageDeps = {
  fetch: typeof globalThis.fetch;
  container: HTMLElement;
  report: (error: unknown) => void;
  /** Resolves when the styles of the first screen are there: without them everything would move. */
  stylesLoaded: Promise<void>;
  /** Loads the console, which shows the place in the address once `open` is called. */
  loadConsole: () => Promise<{ open: (failures: StartFailures) => void }>;
  loadCaptcha: () => Promise<{ solveCaptcha: (api: Api, dialogs: DialogStack) => SolveCaptcha }>;
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

/** The host that the login is for, unless it is the console's. */
function wantedHost({ query }: Place): string | undefined {
  const url = query.get('url') ?? '';
  const host = isWebUrl(url) ? new URL(url).hostname : '';
  return host === '' || host === window.location.hostname ? undefined : host;
}

/**
 * Starts in the order of specification §1: announcements first, then a screen, whether or not they arrived. The gate and
 * the login are shown here, without the console's libraries; everything else is the console's. Returns a function that
 * stops everything.
 */
export async function startPage(deps: StartPageDeps): Promise<() => void> {
  const { container, report } = deps;
  // Seldom, so the gate does without it.
  if (window.location.search.includes('aff=')) await import('./adopt-aff.ts').then((aff) => aff.adoptAff(), report);
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

  const failures: StartFailures = {};
  async function noting<Result>(key: keyof StartFailures, call: Promise<Result>): Promise<Result> {
    delete failures[key];
    try {
      return await call;
    } catch (error) {
      if (error instanceof ApiError) failures[key] = error.failure;
      throw error;
    }
  }

  async function loadProfile(): Promise<Profile | null> {
    return await noting('GET /api/profile/', askProfile());
  }

  async function askProfile(): Promise<Profile | null> {
    const [profile] = await call('GET /api/profile/', { timeoutMs: profileTimeoutMs });
    const isIn = profile !== undefined && profile.token !== '' && profile.id > 0;
    shownUserId = isIn ? profile.id : undefined;
    noteUser(isIn);
    return isIn ? profile : null;
  }

  const root = createRoot(container);
  const ended = new AbortController();
  const dialogs = createDialogStack(window);
  ended.signal.addEventListener('abort', () => dialogs.stop());

  async function openConsole() {
    // Two sign-in methods may succeed while its files are loading.
    if (ended.signal.aborted) return;
    ended.abort();
    try {
      const { open } = await deps.loadConsole();
      root.unmount();
      open(failures);
    } catch (error) {
      showFailure(error);
    }
  }
  function showFailure(error: unknown) {
    report(error);
    root.render(<NotLoaded error={error} />);
  }
  function render(screen: ReactNode) {
    root.render(
      <FailureBoundary report={report}>
        <DialogStackProvider value={dialogs}>{screen}</DialogStackProvider>
      </FailureBoundary>,
    );
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
      const { solveCaptcha } = await deps.loadCaptcha().catch(failImport);
      // The console is about to be shown.
      if (ended.signal.aborted) return undefined;
      const leaveForLogin = () => goTo(paths.login);
      return await solveCaptcha({ call, endSession, logoutUrl, leaveForLogin }, dialogs)(purpose, options);
    },
    goTo,
    forgetUser: () => {
      shownUserId = undefined;
    },
  };

  function goTo(path: string, { isReplacing = false, state }: Parameters<GateDeps['goTo']>[1] = {}) {
    if (isReplacing) window.history.replaceState(screenState(state), '', `#${path}`);
    else window.history.pushState(screenState(state), '', `#${path}`);
    showSafely();
  }

  function setTitle(title: string) {
    document.title = documentTitle(title);
  }

  async function showGate(place: Place) {
    setTitle(routeTitles.check);
    const [{ Gate }] = await Promise.all([import('../features/check/gate.tsx'), deps.stylesLoaded]);
    const { query } = place;
    const visit = { url: query.get('url') ?? '', share: query.get('share') || undefined };
    if (isHere(place)) render(<Gate deps={gateDeps} visit={visit} />);
  }

  async function showLogin(place: Place) {
    setTitle(routeTitles.login);
    // Both at once, and nothing is drawn before: a card that grows would move its fields.
    const [{ LoginScreen }, site] = await Promise.all([
      import('../features/login/login-screen.tsx'),
      call('GET /api/site/config/').catch(() => undefined),
      deps.stylesLoaded,
    ]);
    if (!isHere(place)) return;
    render(
      <LoginScreen
        key={place.search}
        deps={gateDeps}
        site={site}
        aff={place.query.get('aff') || undefined}
        cameWith={readScreenState(window.history.state)}
        host={wantedHost(place)}
        onLoggedIn={() => leaveLogin(place)}
      />,
    );
    setTimeout(deps.preloadConsole, preloadAfterMs);
  }

  /** The gate knows where to go; only the console's own places need the console. */
  function leaveLogin({ query }: Place) {
    const url = query.get('url') || undefined;
    if (url !== undefined && ownPageUrl(url, window.location.href) === undefined) {
      return goTo(withQuery(paths.check, { url }), { isReplacing: true });
    }
    noteUser(true);
    return void openConsole();
  }

  let isReturning = false;
  /** Somebody who returns to the login may have logged in in another tab meanwhile. */
  async function checkOnReturn() {
    const place = placeHere();
    if (place.pathname !== paths.login || document.visibilityState !== 'visible' || isReturning) return;
    isReturning = true;
    const profile = await loadProfile().catch(() => undefined);
    isReturning = false;
    if (profile && isHere(place)) leaveLogin(place);
  }

  /** Where an anonymous client is redirected, as the console's guards decide; undefined where it may stay. */
  function loginPlaceFor({ pathname, search }: Place): string | undefined {
    if (pathname === paths.login) return placeToGoBackTo(search, { isLoggedIn: false });
    const isKnown = isScreenPath(pathname);
    const visit = { isLoggedIn: false, pathname: isKnown ? pathname : paths.home, search: isKnown ? search : '' };
    const decision = pathname === paths.errorport ? decideErrorport(visit) : decideHome(visit);
    return decision.type === 'go' ? decision.to : undefined;
  }

  /** False when the user has left this place meanwhile. */
  function isHere({ pathname, search }: Place): boolean {
    const here = placeHere();
    return !ended.signal.aborted && here.pathname === pathname && here.search === search;
  }

  async function show() {
    dialogs.noteNavigation();
    const place = placeHere();
    if (place.pathname === paths.check) return await showGate(place);
    if (place.pathname === paths.join) return await openConsole();
    const profile = await (firstProfile ?? loadProfile()).catch(() => undefined);
    firstProfile = undefined;
    if (!isHere(place)) return undefined;
    // Without an answer the console shows the failure, and the login its form.
    if (profile || (profile === undefined && place.pathname !== paths.login)) return await openConsole();
    const to = loginPlaceFor(place);
    if (to !== undefined) return goTo(to, { isReplacing: true });
    return await showLogin(place);
  }

  const announcements = call('GET /api/announcement/announcements/', { timeoutMs: announcementsTimeoutMs });
  // Both time-outs begin now, with the calls that the page's head has made.
  const firstPath = placeHere().pathname;
  let firstProfile = firstPath === paths.check || firstPath === paths.join ? undefined : loadProfile();
  firstProfile?.catch(() => undefined); // `show` reads it
  await noting('GET /api/announcement/announcements/', announcements).catch(report);
  const showSafely = () => void show().catch(showFailure);
  window.addEventListener('hashchange', showSafely, { signal: ended.signal });
  // A window beside another one stays visible.
  for (const event of ['visibilitychange', 'focus'])
    window.addEventListener(event, () => void checkOnReturn(), { signal: ended.signal });
  showSafely();
  return () => {
    ended.abort();
    root.unmount();
  };
}
