import { createRoot } from 'react-dom/client';
import { createHashRouter } from 'react-router';
import type { Api } from './api/index.ts';
import { forgetUser, watchShownUser } from './api/index.ts';
import { ApiError } from './api/client/api-error.ts';
import { createClient } from './api/client/client.ts';
import { createQueryClient } from './api/client/create-query-client.ts';
import { readCsrfToken } from './api/client/read-csrf-token.ts';
import { App } from './app.tsx';
import { afterFailures, type StartFailures } from './start/start-failures.ts';
import { announcementsQuery } from './features/announcements/use-announcements.ts';
import { paths, sessionLost, withQuery } from './routing/paths.ts';
import { createRoutes } from './routing/routes.tsx';
import { createDialogStack } from './ui/dialog/dialog-stack.ts';

/** Limits how long startup waits for announcements. */
const defaultAnnouncementsTimeoutMs = 5000;

export type StartDeps = {
  fetch: typeof globalThis.fetch;
  container: HTMLElement;
  report: (error: unknown) => void;
  announcementsTimeoutMs?: number;
  failures?: StartFailures | undefined;
};

async function endSession(fetch: StartDeps['fetch'], url: string): Promise<void> {
  try {
    await fetch(url, { credentials: 'same-origin', redirect: 'manual' });
  } catch (error) {
    throw new ApiError({ type: 'network' }, { cause: error });
  }
}

/**
 * Starts in the order of specification §1: announcements first, then router and app, whether or not the announcements
 * arrived. Returns a function that stops everything.
 */
export async function startApp(deps: StartDeps): Promise<() => void> {
  const { fetch, container, report, announcementsTimeoutMs = defaultAnnouncementsTimeoutMs, failures = {} } = deps;
  const queryClient = createQueryClient();
  const shownUser = watchShownUser(queryClient, () => showSessionChanged());
  const readToken = () => readCsrfToken(document.cookie, window.location.protocol);
  const client = createClient({
    origin: '',
    fetch,
    readCsrfToken: readToken,
    readShownUserId: shownUser.id,
    onSessionLost: () => leaveForLogin(),
    onSessionChanged: () => showSessionChanged(),
  });
  const call = afterFailures(client.call, failures);
  const logoutUrl = () => withQuery('/custom/logout', { user: shownUser.id()?.toString(), csrf: readToken() });
  const api: Api = {
    call,
    logoutUrl,
    endSession: () => endSession(fetch, logoutUrl()),
    leaveForLogin: () => leaveForLogin(),
  };

  await queryClient.fetchQuery({ ...announcementsQuery(api, announcementsTimeoutMs), retry: false }).catch(report);

  // Before the router, so that it is the first to hear of Back.
  const dialogs = createDialogStack(window);
  const router = createHashRouter(createRoutes({ api, queryClient, pageUrl: () => window.location.href }));
  router.subscribe(() => dialogs.noteNavigation());
  function leaveForLogin() {
    const { pathname } = router.state.location;
    queryClient.setQueryData(['profile'], null);
    if (pathname === paths.login) return;
    const url = pathname === paths.check ? undefined : window.location.href;
    void router.navigate(withQuery(paths.login, { url }), { state: sessionLost }).then(() => forgetUser(queryClient));
  }

  const root = createRoot(container);
  function render(isSessionChanged: boolean) {
    root.render(
      <App api={api} queryClient={queryClient} router={router} dialogs={dialogs} isSessionChanged={isSessionChanged} />,
    );
  }
  function showSessionChanged() {
    render(true);
  }
  render(false);
  return () => {
    shownUser.stop();
    root.unmount();
    router.dispose();
    dialogs.stop();
    queryClient.clear();
  };
}
