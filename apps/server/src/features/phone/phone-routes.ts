import type { FastifyInstance } from 'fastify';
import { ensureBrowser, findBrowser } from '../../http/browser/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import type { CallRequest } from '../../http/session.ts';
import { parsePhone, sendMailCode, type SendCodeDeps, sendSmsCode, type SentCode } from '../codes/index.ts';
import { finishLogin, type LoginDeps } from '../second-factor/index.ts';
import { bindPhone, rebindPhone } from './bind-phone.ts';
import { chooseNumber } from './choose-number.ts';
import { logInByPhone } from './log-in-by-phone.ts';
import { resetByPhone } from './reset-by-phone.ts';
import { sendWithTicket } from './send-with-ticket.ts';

export type PhoneRoutesDeps = SendCodeDeps & LoginDeps & { sealingKey: Buffer; phoneRegions: readonly string[] };

const done = { ok: true as const };

/** The calls that send codes by SMS and mail, and those that take a code: binding, password reset, login. */
export function registerPhoneRoutes(app: FastifyInstance, deps: PhoneRoutesDeps): void {
  registerSending(app, deps);
  registerBinding(app, deps);
  mount(app, 'POST /api/verify/password/reset/', { login: 'optional' }, async ({ body, req }) => {
    const phone = parsePhone(body.phone, deps.phoneRegions);
    await resetByPhone(deps, { ...attemptOf({ body, req }), phone, newPassword: body.new_password });
    return done;
  });
  mount(app, 'POST /api/verify/login/phone/', { login: 'optional' }, async ({ body, req, reply }) => {
    const phone = parsePhone(body.phone, deps.phoneRegions);
    const id = await logInByPhone(deps, { ...attemptOf({ body, req }), phone, aff: body.aff });
    return await finishLogin(deps, { id }, { req, reply });
  });
}

function registerSending(app: FastifyInstance, deps: PhoneRoutesDeps): void {
  mount(app, 'POST /api/verify/sms/send/', { login: 'optional' }, async ({ body, req, reply, session }) => {
    const { purpose, ticket } = body;
    const userId = session?.userId;
    const { phone, isOwner } = await chooseNumber(deps, { phone: body.phone, purpose, userId });
    const caller = { ip: req.ip, browserHash: ensureBrowser({ req, reply }), userId, isOwner };
    const send = async () => await sendSmsCode(deps, { phone, purpose, caller });
    // The number is checked before the ticket is used, so that a typing error does not cost a captcha.
    const use = { ticket, purpose: 'sms', req } as const;
    return codeReply(userId === undefined ? await sendWithTicket(deps.db, use, send) : await send());
  });
  mount(app, 'POST /api/verify/email/send/', { login: 'required' }, async ({ body, req, reply, session }) => {
    const caller = { ip: req.ip, browserHash: ensureBrowser({ req, reply }), userId: session.userId };
    return codeReply(await sendMailCode(deps, { email: body.email, purpose: 'bind', caller }));
  });
}

function registerBinding(app: FastifyInstance, deps: PhoneRoutesDeps): void {
  mount(app, 'POST /api/verify/phone/bind/', { login: 'required' }, async ({ body, req, session }) => {
    const phone = parsePhone(body.phone, deps.phoneRegions);
    await bindPhone(deps, { ...attemptOf({ body, req }), session, phone });
    return done;
  });
  mount(app, 'POST /api/verify/phone/rebind/', { login: 'required' }, async ({ body, req, session }) => {
    const { old_code: oldCode, password = '' } = body; // the contract requires exactly one of them
    const phone = parsePhone(body.phone, deps.phoneRegions);
    const proof = oldCode === undefined ? { password } : { oldCode };
    await rebindPhone(deps, { ...attemptOf({ body, req }), session, phone, ...proof });
    return done;
  });
}

function codeReply({ retryAfterSeconds, expiresInSeconds }: SentCode) {
  return { retry_after: retryAfterSeconds, expires_in: expiresInSeconds };
}

function attemptOf({ body, req }: { body: { code: string }; req: CallRequest }) {
  return { code: body.code, browserHash: findBrowser(req) };
}
