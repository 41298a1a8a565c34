import { surroundingsOf } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { listAttempts } from './device-attempt-store.ts';

/** The call for who is just adding a device. */
export function registerDeviceAttemptRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/device_attempts/', { login: 'required' }, async ({ req, query, session }) => {
    const network = surroundingsOf(req.ip);
    const attempts = await listAttempts(db, {
      userId: session.userId,
      network,
      withinSeconds: query.within_seconds,
    });
    return attempts.map(({ kind, isOwn, secondsAgo }) => ({ kind, is_own: isOwn, seconds_ago: secondsAgo }));
  });
}
