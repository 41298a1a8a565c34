import { AppError, type TrustedBrowser } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { describeDevice } from '../../http/browser/describe-device.ts';
import { mount } from '../../http/mount.ts';
import type { Session } from '../../http/session.ts';
import { placeOf } from '../places/index.ts';
import { deleteTrustedById, listSkipping, type SkippingBrowser } from './trusted-browser-store.ts';

/** The browsers in which the caller's logins skip the second step. */
export function registerTrustedBrowserRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/trusted_browsers/', { login: 'required' }, async ({ session }) =>
    (await listSkipping(db, session.userId)).map((row) => replyOf(row, session)),
  );
  mount(app, 'DELETE /api/user/trusted_browsers/{id}/', { login: 'required' }, async ({ params, session }) => {
    const isDeleted = await deleteTrustedById(db, { id: params.id, userId: session.userId });
    if (!isDeleted) throw new AppError('trusted-browser.not-found');
    return { ok: true as const };
  });
}

function replyOf(row: SkippingBrowser, current: Session): TrustedBrowser {
  return {
    id: row.id,
    device: describeDevice(row.userAgent),
    ip: row.ip,
    place: placeOf(row.ip),
    last_used_at: row.lastUsedAt.toISOString(),
    trusted_until: row.skipsSecondStepUntil.toISOString(),
    is_current: row.sessionId === current.sessionId,
  };
}
