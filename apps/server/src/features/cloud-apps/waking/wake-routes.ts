import type { CloudAppWake } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import { listWakesOfApp, readHostState, wakeApp, type WakeDeps } from './wake-app.ts';
import type { WakeRow } from './wake-store.ts';

export function registerWakeRoutes(app: FastifyInstance, deps: WakeDeps): void {
  mount(app, 'POST /api/user/cloud_apps/{id}/wake/', { login: 'required' }, async ({ params, session, req }) => {
    const hasFactor = await app.callGuard.hasSecondFactor(session.userId);
    return wakeReply(await wakeApp(deps, { session, hasFactor, ip: req.ip }, params.id), session.userId);
  });
  mount(app, 'GET /api/user/cloud_apps/{id}/state/', { login: 'required' }, async ({ params, session }) => {
    return await readHostState(deps, params.id, session.userId);
  });
  mount(app, 'GET /api/user/cloud_apps/{id}/wakes/', { login: 'required' }, async ({ params, session: { userId } }) => {
    return (await listWakesOfApp(deps.db, params.id, userId)).map((row) => wakeReply(row, userId));
  });
}

function wakeReply({ id, createdAt, scheduledFor, who, userId, ip, result }: WakeRow, callerId: number): CloudAppWake {
  const account = scheduledFor === null ? who : null;
  return { id, at: createdAt.toISOString(), account, is_own: userId === callerId, ip, result };
}
