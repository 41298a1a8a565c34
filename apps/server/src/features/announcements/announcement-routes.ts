import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import {
  countAnnouncements,
  listAnnouncements,
  listDisplayed,
  type AnnouncementFields,
  type AnnouncementRow,
} from './announcement-store.ts';
import { auditAnnouncement } from './audit-announcement.ts';
import { addAnnouncement, changeAnnouncement, removeAnnouncement } from './publish.ts';

const manage = '/api/announcement/manage/';

/** The list that everybody sees, with or without a login, and the calls by which staff edit announcements. */
export function registerAnnouncementRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/announcement/announcements/', { login: 'optional' }, async () => {
    const shown = await listDisplayed(db);
    return shown.map(({ publishedAt, ...row }) => ({ ...row, published_at: publishedAt.toISOString() }));
  });
  mount(app, 'GET /api/announcement/manage/', { login: 'required' }, async ({ query }) => {
    const [count, rows] = [await countAnnouncements(db), await listAnnouncements(db, query)];
    return { count, ...pageLinks(manage, query, count), results: rows.map(managedReply) };
  });
  mount(app, 'POST /api/announcement/manage/', { login: 'required' }, async ({ body, session, req }) => {
    const row = await inTransaction(db, async (tx) => {
      const after = await addAnnouncement(tx, fieldsOf(body));
      await auditAnnouncement(tx, { userId: session.userId, ip: req.ip }, { action: 'announcement.created', after });
      return after;
    });
    return managedReply(row);
  });
  mount(app, 'PATCH /api/announcement/manage/{id}/', { login: 'required' }, async (call) => {
    const { params, body, session, req } = call;
    const row = await inTransaction(db, async (tx) => {
      const change = await changeAnnouncement(tx, { id: params.id, revision: body.revision }, fieldsOf(body));
      const actor = { userId: session.userId, ip: req.ip };
      await auditAnnouncement(tx, actor, { action: 'announcement.changed', ...change });
      return change.after;
    });
    return managedReply(row);
  });
  mount(app, 'DELETE /api/announcement/manage/{id}/', { login: 'required' }, async ({ params, session, req }) => {
    await inTransaction(db, async (tx) => {
      const before = await removeAnnouncement(tx, params.id);
      await auditAnnouncement(tx, { userId: session.userId, ip: req.ip }, { action: 'announcement.deleted', before });
    });
    return { ok: true as const };
  });
}

async function inTransaction<Result>(db: Db, run: (tx: Db) => Promise<Result>): Promise<Result> {
  return await db.transaction().execute(run);
}

function fieldsOf(body: AnnouncementBody): AnnouncementFields {
  return {
    title: body.title,
    detail: body.detail,
    url: body.url,
    display: body.display,
    startsAt: body.starts_at === null ? null : new Date(body.starts_at),
    endsAt: body.ends_at === null ? null : new Date(body.ends_at),
  };
}

function managedReply({ startsAt, endsAt, createdAt, ...row }: AnnouncementRow): ManagedAnnouncement {
  return {
    ...row,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
