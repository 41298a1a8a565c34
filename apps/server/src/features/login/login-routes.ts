import { AppError } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { isSameOrigin } from '../../http/same-origin.ts';
import { forgetFailures, mayTry } from '../captcha/index.ts';
import { finishLogin, type LoginDeps } from '../second-factor/index.ts';
import { endSession } from '../sessions/index.ts';
import type { WechatLoginInput } from '../wechat/index.ts';
import { foldAccount, logIn } from '../users/index.ts';

export type LoginRoutesDeps = LoginDeps & {
  phoneRegions: readonly string[];
  /** The account of a code that the single sign-on host gave; undefined where nobody logs in by WeChat. */
  logInByWechat?: (input: WechatLoginInput) => Promise<number>;
};

/** Eight tabs in doubt whether the server is there ask as often; beyond that the refusal is answer enough for them. */
const MAX_ASKED_A_MINUTE = 120;

/** Login by password or WeChat, its state, and the logout. */
export function registerLoginRoutes(app: FastifyInstance, deps: LoginRoutesDeps): void {
  const asked = { login: 'optional', maxPerMinute: MAX_ASKED_A_MINUTE } as const;
  mount(app, 'GET /api/login_status/', asked, async ({ session }) => ({
    logged_in: session !== undefined,
    id: session?.userId ?? 0,
  }));
  mount(app, 'POST /custom/login/', { login: 'optional', maxPerMinute: 60 }, async ({ body, req, reply }) => {
    if (body.method === 'wechat') {
      if (!deps.logInByWechat) throw new AppError('login.method-unavailable');
      const id = await deps.logInByWechat({ ...body, req });
      return await finishLogin(deps, { id }, { req, reply });
    }
    const attempt = {
      purpose: 'login',
      target: foldAccount(body.account, deps.phoneRegions),
      ticket: body.ticket,
      req,
    } as const;
    if (!(await mayTry(deps.db, attempt))) throw new AppError('captcha.required');
    const proven = await logIn(deps.db, { ...body, phoneRegions: deps.phoneRegions });
    await forgetFailures(deps.db, attempt);
    return await finishLogin(deps, proven, { req, reply });
  });
  // Not a JSON call: the page sends the browser here (specification §4), so it answers with a redirect. Another site
  // could send it here as well; then nothing is ended.
  app.get('/custom/logout', async (req, reply) => {
    if (isSameOrigin(req)) await endSession(deps.db, { req, reply });
    return reply.header('cache-control', 'no-store').redirect('/#/login', 302);
  });
}
