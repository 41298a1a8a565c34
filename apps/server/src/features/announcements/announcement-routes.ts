import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { listDisplayed } from './announcement-store.ts';

/** The announcements that everybody sees, logged in or not. */
export function registerAnnouncementRoutes(app: FastifyInstance, deps: { db: Db }): void {
  mount(app, 'GET /api/announcement/announcements/', { login: 'optional' }, async () => await listDisplayed(deps.db));
}
