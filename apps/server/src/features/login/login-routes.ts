import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCsrfToken } from '../../http/browser/csrf.ts';
import { mount } from '../../http/mount.ts';
import { isSameOrigin, hasNoOriginHeaders } from '../../http/browser/same-origin.ts';
import { captchaRefusal, resetFailures, allowAttempt } from '../captcha/index.ts';
import { finishLogin, type LoginDeps } from '../second-factor/index.ts';
import { endSession } from '../sessions/index.ts';
import type { WechatLoginInput } from '../wechat/index.ts';
import { identifyLogin, logIn } from '../users/index.ts';

export type LoginRoutesDeps = LoginDeps & {
  phoneRegions: readonly string[];
  /** Finds or creates the account for a single sign-on code; undefined without login by WeChat. */
  logInByWechat?: (input: WechatLoginInput) => Promise<number>;
};

/** Registers the login by password or WeChat, the login status and the logout. */
export function registerLoginRoutes(app: FastifyInstance, deps: LoginRoutesDeps): void {
  mount(app, 'GET /api/login_status/', { login: 'optional' }, async ({ session }) => ({
    logged_in: session !== undefined,
    id: session?.userId ?? 0,
  }));
  mount(app, 'POST /custom/login/', { login: 'optional' }, async ({ body, req, reply }) => {
    if (body.method === 'wechat') {
      if (!deps.logInByWechat) throw new AppError('login.method-unavailable');
      const id = await deps.logInByWechat({ ...body, req });
      return await finishLogin(deps, { id }, { req, reply });
    }
    const tried = await identifyLogin(deps.db, { account: body.account, phoneRegions: deps.phoneRegions, req });
    const attempt = { purpose: 'login', target: tried.failureKey, ticket: body.ticket, req } as const;
    if (!(await allowAttempt(deps.db, attempt))) throw captchaRefusal(attempt);
    const proven = await logIn(deps.db, tried, body.password);
    await resetFailures(deps.db, attempt);
    return await finishLogin(deps, proven, { req, reply });
  });
  // The console navigates here (specification §4), so the answer is a redirect. Another site can navigate here too; then
  // the session stays. `user` is the user whom the console shows, `csrf` the console's CSRF token.
  app.get<{ Querystring: LogoutQuery }>('/custom/logout', async (req, reply) => {
    if (await isFromConsole(app, req, reply)) await endSession(deps.db, { req, reply }, req.query.user?.toString());
    return reply.header('cache-control', 'no-store').redirect('/#/login', 302);
  });
}

type LogoutQuery = { user?: string | string[]; csrf?: string | string[] };

/**
 * Whether the console made the request. Over http a site can suppress Referer, and some browsers send no Sec-Fetch-Site.
 * Without any of these headers the CSRF token decides.
 */
async function isFromConsole(
  { callGuard: { sessions, csrfKey } }: FastifyInstance,
  req: FastifyRequest<{ Querystring: LogoutQuery }>,
  reply: FastifyReply,
): Promise<boolean> {
  if (!hasNoOriginHeaders(req)) return isSameOrigin(req);
  return isCsrfToken(csrfKey, await sessions.find({ req, reply }), req, req.query.csrf?.toString() ?? '');
}
