import { AppError, type EnrolmentKey } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { createEnrolmentKey } from './enrolment-key.ts';
import { deleteEnrolmentKey, listEnrolmentKeys, type EnrolmentKeyRow } from './enrolment-key-store.ts';

/** The keys with which agents enrol in the caller's account. */
export function registerEnrolmentKeyRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/enrolment_keys/', { login: 'required' }, async ({ session }) =>
    (await listEnrolmentKeys(db, session.userId)).map(replyOf),
  );
  mount(app, 'POST /api/user/enrolment_keys/', { login: 'required' }, async ({ body, session }) => {
    const { key, row } = await createEnrolmentKey(db, session, {
      name: body.name,
      deviceName: body.device_name,
      isReusable: body.is_reusable,
      validHours: body.valid_hours,
    });
    return { key, enrolment_key: replyOf(row) };
  });
  mount(app, 'DELETE /api/user/enrolment_keys/{id}/', { login: 'required' }, async ({ params, session }) => {
    const isDeleted = await deleteEnrolmentKey(db, { id: params.id, userId: session.userId });
    if (!isDeleted) throw new AppError('enrolment-key.not-found');
    return { ok: true as const };
  });
}

function replyOf(row: EnrolmentKeyRow): EnrolmentKey {
  return {
    id: row.id,
    name: row.name,
    device_name: row.deviceName,
    hint: row.hint,
    is_reusable: row.isReusable,
    use_count: row.useCount,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    state: row.state,
  };
}
