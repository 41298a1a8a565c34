import type { App } from '../../http/create-app.ts';
import { registerEventRoutes } from './script/event-routes.ts';
import { registerPhoneRoutes } from './phone/phone-routes.ts';
import { registerScriptRoutes } from './script/script-routes.ts';
import type { SsoHostDeps } from './sso-host-deps.ts';
import { SsoWaiters } from './script/sso-waiters.ts';

export type SsoHost = AsyncDisposable & {
  /** Answers all long polls, so that a stop does not wait for them. */
  endWaits: () => void;
};

/** The path of the host on its server. */
export const SSO_PATH = '/sso';

/** Registers the single sign-on host: scripts and events for login pages, pages for phones. */
export async function registerSsoHost(app: App, deps: SsoHostDeps): Promise<SsoHost> {
  const waiters = await SsoWaiters.start(deps);
  await app.register(
    async (scope) => {
      registerScriptRoutes(scope, deps);
      registerEventRoutes(scope, { db: deps.db, waiters });
      registerPhoneRoutes(scope, deps);
    },
    { prefix: SSO_PATH },
  );
  return {
    endWaits: () => waiters.cancelAll(),
    [Symbol.asyncDispose]: async () => await waiters[Symbol.asyncDispose](),
  };
}
