import { AppError, type ManagedSiteEntry, type SiteEntryChange } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { addSiteEntry, changeSiteEntry, removeSiteEntry } from './change-site-entries.ts';
import { readImage } from './read-image.ts';
import {
  findImage,
  listShownEntries,
  listSiteEntries,
  type SiteEntryFields,
  type SiteEntryRow,
} from './site-entry-store.ts';

const images = '/api/site/images/';

/** Banners, and the groups and links of 玩家交流: for users to see, for staff to change. */
export function registerSiteEntryRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/site/promoters/', { login: 'required' }, async () =>
    (await listShownEntries(db, 'banner')).map(entryReply),
  );
  mount(app, 'GET /api/site/community/', { login: 'required' }, async () =>
    (await listShownEntries(db, 'community')).map(entryReply),
  );
  registerImages(app, db);
  registerManagement(app, db);
}

/** Public: the hash in its path is known only to those who were shown an entry. The same path is always the same image. */
function registerImages(app: FastifyInstance, db: Db): void {
  app.get<{ Params: { sha256: string } }>(`${images}:sha256`, async ({ params }, reply) => {
    const image = /^[0-9a-f]{64}$/.test(params.sha256) ? await findImage(db, params.sha256) : undefined;
    if (image === undefined) throw new AppError('request.not-found');
    return reply
      .header('content-type', image.type)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, max-age=31536000, immutable')
      .send(image.bytes);
  });
}

function registerManagement(app: FastifyInstance, db: Db): void {
  mount(app, 'GET /api/manage/site_entries/', { login: 'required' }, async () =>
    (await listSiteEntries(db)).map(entryReply),
  );
  mount(app, 'POST /api/manage/site_entries/', { login: 'required' }, async ({ body, session, req }) => {
    const actor = { userId: session.userId, ip: req.ip };
    return entryReply(await addSiteEntry(db, actor, { kind: body.kind, ...fieldsOf(body) }));
  });
  mount(app, 'PATCH /api/manage/site_entries/{id}/', { login: 'required' }, async ({ params, body, session, req }) => {
    const actor = { userId: session.userId, ip: req.ip };
    const seen = { id: params.id, revision: body.revision };
    return entryReply(await changeSiteEntry(db, actor, { seen, fields: fieldsOf(body) }));
  });
  mount(app, 'DELETE /api/manage/site_entries/{id}/', { login: 'required' }, async ({ params, session, req }) => {
    await removeSiteEntry(db, { userId: session.userId, ip: req.ip }, params.id);
    return { ok: true as const };
  });
}

function fieldsOf(body: Omit<SiteEntryChange, 'revision'>): SiteEntryFields {
  const { title, detail, url, qr_text: qrText, position, display } = body;
  return {
    ...{ title, detail, url, qrText, position, display },
    startsAt: body.starts_at === null ? null : new Date(body.starts_at),
    endsAt: body.ends_at === null ? null : new Date(body.ends_at),
    ...readImage(body.image_base64),
  };
}

/** The contract removes what is for staff from the replies to users. */
function entryReply({ qrText, startsAt, endsAt, imageSha256, ...row }: SiteEntryRow): ManagedSiteEntry {
  return {
    ...row,
    qr_text: qrText,
    image: imageSha256 === null ? '' : `${images}${imageSha256}`,
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  };
}
