import type { AuditEntry } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { type AuditRow, listAuditEntries } from './audit-list-store.ts';

const path = '/api/manage/audit/';

/** For staff: who did what. There is no call that changes or deletes an entry. */
export function registerAuditRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/manage/audit/', { login: 'required' }, async ({ query }) => {
    const { count, rows } = await listAuditEntries(db, query, query);
    return { count, ...pageLinks(path, query, count), results: rows.map(entryReply) };
  });
}

function entryReply(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    actor_id: row.actorId,
    ip: row.ip,
    action: row.action,
    object_type: row.objectType,
    object_id: row.objectId,
    object_name: row.objectName,
    before: { ...row.before },
    after: { ...row.after },
  };
}
