import type { Place } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import type { Session } from '../../http/session.ts';
import { changePlace, createPlace, deletePlace } from './change-places.ts';
import { placeReply } from './key-replies.ts';
import { listKeyCounts, listPlaces, type PlaceRow } from './place-store.ts';
import { listVisiblePlaces } from './visible-places.ts';

type Page = { limit: number; offset: number };

/** Where keys are handed out: staff keeps the list, a promoter sees their own places. */
export function registerPlaceRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/user/product-key-places/', { login: 'required' }, async ({ query, session }) => {
    const visible = await listVisiblePlaces(db, session);
    const promoterId = visible === 'all' ? undefined : session.userId;
    return await listPage(db, { path: '/api/user/product-key-places/', promoterId }, query);
  });
  mount(app, 'GET /api/manage/places/', { login: 'required' }, async ({ query }) => {
    return await listPage(db, { path: '/api/manage/places/', promoterId: undefined }, query);
  });
  mount(app, 'POST /api/manage/places/', { login: 'required' }, async ({ body, session, req }) => {
    const { promoter: promoterId, ...fields } = body;
    return await describe(db, await createPlace(db, { ...fields, promoterId }, actorOf(session, req)));
  });
  mount(app, 'PATCH /api/manage/places/{id}/', { login: 'required' }, async ({ params, body, session, req }) => {
    const { name, note, promoter } = body;
    const changes = {
      ...(name !== undefined && { name }),
      ...(note !== undefined && { note }),
      ...(promoter !== undefined && { promoterId: promoter }),
    };
    return await describe(db, await changePlace(db, { placeId: params.id, changes }, actorOf(session, req)));
  });
  mount(app, 'DELETE /api/manage/places/{id}/', { login: 'required' }, async ({ params, session, req }) => {
    await deletePlace(db, params.id, actorOf(session, req));
    return { ok: true as const };
  });
}

function actorOf({ userId }: Session, { ip }: { ip: string }): { userId: number; ip: string } {
  return { userId, ip };
}

async function listPage(
  db: Db,
  { path, promoterId }: { path: string; promoterId: number | undefined },
  page: Page,
): Promise<{ count: number; next: string | null; previous: string | null; results: Place[] }> {
  const { count, places } = await listPlaces(db, { promoterId, ...page });
  const counts = await listKeyCounts(
    db,
    places.map(({ id }) => id),
  );
  return { count, ...pageLinks(path, page, count), results: places.map((place) => placeReply(place, counts)) };
}

async function describe(db: Db, place: PlaceRow): Promise<Place> {
  return placeReply(place, await listKeyCounts(db, [place.id]));
}
