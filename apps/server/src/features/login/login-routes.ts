import { AppError } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCsrfToken } from '../../http/csrf.ts';
import { mount } from '../../http/mount.ts';
import { isSameOrigin, isSilentOnOrigin } from '../../http/same-origin.ts';
import { captchaRefusal, forgetFailures, mayTry } from '../captcha/index.ts';
import { finishLogin, type LoginDeps } from '../second-factor/index.ts';
import { endSession } from '../sessions/index.ts';
import type { WechatLoginInput } from '../wechat/index.ts';
import { identifyLogin, logIn } from '../users/index.ts';

export type LoginRoutesDeps = LoginDeps & {
  phoneRegions: readonly string[];
  /** The account of a code that the single sign-on host gave; undefined where nobody logs in by WeChat. */
  logInByWechat?: (input: WechatLoginInput) => Promise<number>;
};

/** Login by password or WeChat, its state, and the logout. */
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
    if (!(await mayTry(deps.db, attempt))) throw captchaRefusal(attempt);
    const proven = await logIn(deps.db, tried, body.password);
    await forgetFailures(deps.db, attempt);
    return await finishLogin(deps, proven, { req, reply });
  });
  // Not a JSON call: the page sends the browser here (specification §4), so it answers with a redirect. Another site
  // could send it here as well; then nothing is ended. `user` is whom the page shows, `csrf` its token.
  app.get<{ Querystring: LogoutQuery }>('/custom/logout', async (req, reply) => {
    if (await isOwnPages(app, req, reply)) await endSession(deps.db, { req, reply }, req.query.user?.toString());
    return reply.header('cache-control', 'no-store').redirect('/#/login', 302);
  });
}

type LogoutQuery = { user?: string | string[]; csrf?: string | string[] };

/**
 * Over http browsers say nothing of where they come from when the page before wants it so, and a link of another site may.
 * Then the token speaks for our page, since some browsers never say it.
 */
async function isOwnPages(
  { callGuard: { sessions, csrfKey } }: FastifyInstance,
  req: FastifyRequest<{ Querystring: LogoutQuery }>,
  reply: FastifyReply,
): Promise<boolean> {
  if (!isSilentOnOrigin(req)) return isSameOrigin(req);
  return isCsrfToken(csrfKey, await sessions.find({ req, reply }), req, req.query.csrf?.toString() ?? '');
}
