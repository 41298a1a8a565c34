import { callLimits } from '@tongtu/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Db } from '../../../db/driver.ts';
import { notify } from '../../../db/notify.ts';
import { describeDevice } from '../../../http/browser/describe-device.ts';
import { checkSameOrigin } from '../../../http/browser/same-origin.ts';
import type { CallRequest } from '../../../http/session.ts';
import { hashSecret } from '../../../hash-secret.ts';
import { identifyPhone } from './identify-phone.ts';
import { renderConfirmPage } from '../pages/confirm-page.ts';
import { type NoticeName, renderNotice, renderNotInWechat, renderWaiting } from '../pages/notice-pages.ts';
import {
  hasConfirmedCookie,
  ensurePhoneCookie,
  setConfirmedCookie,
  oauthStateOf,
  readPhoneCookie,
  scanTokenOfState,
} from './phone-cookie.ts';
import type { SsoHostDeps } from '../sso-host-deps.ts';
import { type ScannedLogin, decideScan, findScannedLogin, markScanned } from '../sso-login-store.ts';
import { scanTokenOf } from '../sso-secret.ts';
import { readStates } from '../script/state-cookie.ts';

/** Wakes the login page that waits for this login, at whichever server process. */
async function notifyStep(tx: Db, stateHash: Buffer): Promise<void> {
  await notify(tx, 'sso_step', { state: stateHash.toString('base64url') });
}

const ScanToken = z.string().regex(/^[0-9a-f]{32}$/);
const ScanQuery = z.object({ t: ScanToken, as: z.string().optional() });
const CallbackQuery = z.object({
  state: z.string().regex(/^[0-9a-f]{64}$/),
  code: z.string().min(1).max(512).optional(),
});
const ConfirmQuery = z.object({ t: ScanToken });
const Decision = z.object({ t: ScanToken, decision: z.enum(['confirmed', 'cancelled']) });

type PhoneRequest = { req: CallRequest; scanToken: string };
const otherBrowser = { isSameBrowser: false };

const WECHAT_BROWSER = /MicroMessenger/i;
const FORM_LIMIT_BYTES = 1024;
// Browsers come here from a camera app, a chat or WeChat, so these calls are cross-site.
const allowsNavigation = true;
const scanned = { config: { limit: callLimits['GET /sso/wechat/scan'], allowsNavigation } } as const;
const calledBack = { config: { limit: callLimits['GET /sso/wechat/callback'], allowsNavigation } } as const;
const asked = { config: { limit: callLimits['GET /sso/wechat/confirm'], allowsNavigation } } as const;
const decided = { config: { limit: callLimits['POST /sso/wechat/confirm'] } } as const;

/** Serves the phone's pages: from the QR code through WeChat's consent to the confirmation. */
export function registerPhoneRoutes(scope: FastifyInstance, deps: SsoHostDeps): void {
  registerScan(scope, deps);
  registerCallback(scope, deps);
  registerConfirm(scope, deps);
}

function registerScan(scope: FastifyInstance, deps: SsoHostDeps): void {
  const { db, key, url, wechat } = deps;
  scope.get('/wechat/scan', scanned, async (req, reply) => {
    const query = ScanQuery.safeParse(req.query);
    if (!query.success) return sendPage(reply, renderNotice('unknown', otherBrowser), 404);
    const { t: scanToken, as } = query.data;
    const login = await findScannedLogin(db, hashSecret(scanToken));
    const request = { req, scanToken };
    const ended = findEndReason(login, request);
    if (ended) return sendPage(reply, renderNoticeFor(deps, ended, request));
    const isInWechat = WECHAT_BROWSER.test(req.headers['user-agent'] ?? '') || (wechat.isFake && as === 'wechat');
    const fakeUrl = wechat.isFake ? `scan?t=${scanToken}&as=wechat` : undefined;
    if (!isInWechat) return sendPage(reply, renderNotInWechat({ fakeUrl }));
    const phone = ensurePhoneCookie(req, reply);
    await db.transaction().execute(async (tx) => {
      const stateHash = await markScanned(tx, hashSecret(scanToken));
      if (stateHash) await notifyStep(tx, stateHash);
    });
    const state = oauthStateOf(key, scanToken, phone);
    return redirect(reply, wechat.authorizeUrl({ redirectUri: `${url}/wechat/callback`, state }));
  });
}

function registerCallback(scope: FastifyInstance, deps: SsoHostDeps): void {
  scope.get('/wechat/callback', calledBack, async (req, reply) => {
    const query = CallbackQuery.safeParse(req.query);
    const phone = readPhoneCookie(req);
    const scanToken = query.success && phone !== undefined && scanTokenOfState(deps.key, query.data.state, phone);
    // Another browser than the one that scanned has opened the link.
    if (!query.success || phone === undefined || !scanToken)
      return sendPage(reply, renderNotice('codeInvalid', otherBrowser), 400);
    const { code } = query.data;
    if (code === undefined) {
      await decide(deps, { scanToken, phone, decision: 'cancelled' });
    } else {
      const failure = await identifyPhone(deps, { scanHash: hashSecret(scanToken), phone, code });
      if (failure) return sendPage(reply, renderNoticeFor(deps, failure, { req, scanToken }));
    }
    return redirect(reply, `${deps.url}/wechat/confirm?t=${scanToken}`);
  });
}

function registerConfirm(scope: FastifyInstance, deps: SsoHostDeps): void {
  // The pages have no scripts and send forms.
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_req, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );
  scope.get('/wechat/confirm', asked, async (req, reply) => {
    const query = ConfirmQuery.safeParse(req.query);
    if (!query.success) return sendPage(reply, renderNotice('unknown', otherBrowser), 404);
    const login = await findScannedLogin(deps.db, hashSecret(query.data.t));
    return sendPage(reply, renderPageFor(deps, login, { req, scanToken: query.data.t }));
  });
  scope.post('/wechat/confirm', decided, async (req, reply) => {
    checkSameOrigin(req);
    const body = Decision.safeParse(req.body);
    if (!body.success) return sendPage(reply, renderNotice('unknown', otherBrowser), 404);
    const { t: scanToken, decision } = body.data;
    const isDecided = await decide(deps, { scanToken, phone: readPhoneCookie(req) ?? '', decision });
    if (isDecided && decision === 'confirmed') setConfirmedCookie({ req, reply }, scanToken);
    return redirect(reply, `confirm?t=${scanToken}`);
  });
}

/** False when the decision came too late or from another phone. The next page then says why. */
async function decide(
  { db }: SsoHostDeps,
  { scanToken, phone, decision }: { scanToken: string; phone: string; decision: 'confirmed' | 'cancelled' },
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const stateHash = await decideScan(tx, hashSecret(scanToken), { phoneHash: hashSecret(phone), decision });
    if (stateHash) await notifyStep(tx, stateHash);
    return stateHash !== undefined;
  });
}

function renderPageFor(deps: SsoHostDeps, login: ScannedLogin | undefined, request: PhoneRequest): string {
  const { req, scanToken } = request;
  const ended = findEndReason(login, request);
  if (!login || ended) return renderNoticeFor(deps, ended ?? 'unknown', request);
  const isOther = login.phoneHash && !login.phoneHash.equals(hashSecret(readPhoneCookie(req) ?? ''));
  if (isOther) return renderNoticeFor(deps, 'otherPhone', request);
  if (login.openId === null)
    return login.oauthCodeHash ? renderWaiting() : renderNoticeFor(deps, 'codeInvalid', request);
  return renderConfirmPage({
    scanToken,
    site: login.site,
    browser: describeDevice(login.userAgent),
    place: [deps.placeOf(login.ip), login.ip].filter(Boolean).join(' · '),
    time: formatTime(login.createdAt),
    nickname: login.nickname ?? '',
    isFake: deps.wechat.isFake,
  });
}

/** Why a login cannot continue; undefined while it can. */
function findEndReason(login: ScannedLogin | undefined, { req, scanToken }: PhoneRequest): NoticeName | undefined {
  if (!login) return hasConfirmedCookie(req, scanToken) ? 'used' : 'unknown';
  if (login.decision !== null) return login.decision;
  return login.isExpired ? 'expired' : undefined;
}

/** Inside WeChat the phone's browser is also the one that waits for the login, and has the state's cookie. */
function renderNoticeFor({ key }: SsoHostDeps, name: NoticeName, { req, scanToken }: PhoneRequest): string {
  const isSameBrowser = readStates(req).some((state) => scanTokenOf(key, state) === scanToken);
  return renderNotice(name, { isSameBrowser });
}

function formatTime(at: Date): string {
  return at.toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', dateStyle: 'long', timeStyle: 'short' });
}

function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(to, 303);
}
