import { networkOf } from '@tongtu/base';
import type { CaptchaChallenge } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import type { HttpCall } from '../../http/session.ts';
import { sendMailCode, type SendCodeDeps, useMailCode } from '../codes/index.ts';
import { ensureBrowser } from '../../http/browser/browser-cookie.ts';
import { isCaptchaNeeded } from './captcha-need.ts';
import {
  answerChallenge,
  createChallenge,
  type DrawnChallenge,
  createAndDrawChallenge,
  drawCreatedChallenge,
} from './challenge.ts';
import type { ChallengeOwner } from './challenge-store.ts';
import { issueCaptchaTicket } from './ticket.ts';

/** Registers challenges, answers, and codes by mail for people who cannot see a picture. Each ends in a ticket. */
export function registerCaptchaRoutes(app: FastifyInstance, deps: SendCodeDeps): void {
  registerPictures(app, deps.db);
  registerMails(app, deps);
}

function registerPictures(app: FastifyInstance, db: Db): void {
  mount(app, 'GET /captcha/', { login: 'optional' }, async ({ query, req, reply }) => {
    const owner = ownerOf({ req, reply });
    const { purpose, key, type: requestedType } = query;
    if (purpose !== undefined)
      return challengeReply(await createAndDrawChallenge(db, { purpose, requestedType, owner }));
    return challengeReply(await drawCreatedChallenge(db, key ?? '', owner)); // the schema requires exactly one of them
  });
  mount(app, 'POST /captcha/', { login: 'optional' }, async ({ body, req, reply }) => {
    const owner = ownerOf({ req, reply });
    return ticketReply(await answerChallenge(db, { key: body.key, given: body.answer, owner }));
  });
  mount(
    app,
    'GET /api/verify/captcha/init/',
    { login: 'optional' },
    async ({ query: { purpose }, req, reply, session }) => {
      if (!(await isCaptchaNeeded(db, { purpose, req, session }))) return { required: false, type: null, key: null };
      const request = { purpose, requestedType: undefined, owner: ownerOf({ req, reply }) };
      return { required: true, ...(await createChallenge(db, request)) };
    },
  );
}

function registerMails(app: FastifyInstance, deps: SendCodeDeps): void {
  const { db } = deps;
  mount(app, 'POST /captcha/email/', { login: 'optional' }, async ({ body, req, reply, session }) => {
    const browserHash = ensureBrowser({ req, reply });
    const purpose = `captcha_${body.purpose}` as const;
    const caller = { ip: req.ip, browserHash, userId: session?.userId };
    // To any address, because a new user has none bound. The answer does not reveal which addresses are bound.
    const { retryAfterSeconds } = await sendMailCode(deps, { email: body.email, purpose, caller });
    return { retry_after: retryAfterSeconds };
  });
  mount(app, 'POST /captcha/email/answer/', { login: 'optional' }, async ({ body, req, reply }) => {
    const { purpose, email, code } = body;
    const browserHash = ensureBrowser({ req, reply });
    await useMailCode(deps, { email, purpose: `captcha_${purpose}`, code, browserHash });
    return ticketReply(await issueCaptchaTicket(db, { purpose, browserHash }));
  });
}

function ownerOf(call: HttpCall): ChallengeOwner {
  return { browserHash: ensureBrowser(call), network: networkOf(call.req.ip) };
}

function ticketReply({ ticket, expiresAt }: { ticket: string; expiresAt: Date }) {
  return { ticket, expires_at: expiresAt.toISOString() };
}

/** Lists the fields explicitly, so that the answer is never sent. */
function challengeReply({ key, drawing, expiresAt }: DrawnChallenge): CaptchaChallenge {
  const { image, thumb } = drawing;
  const shown = { key, image, thumb, expires_at: expiresAt.toISOString() };
  switch (drawing.type) {
    case 'click':
      return { type: drawing.type, ...shown };
    case 'rotate':
      return { type: drawing.type, ...shown, thumbSize: drawing.thumbSize, angle: drawing.angle };
    case 'slide':
    case 'drag': {
      const { type, thumbX, thumbY, thumbWidth, thumbHeight } = drawing;
      return { type, ...shown, thumbX, thumbY, thumbWidth, thumbHeight };
    }
  }
}
