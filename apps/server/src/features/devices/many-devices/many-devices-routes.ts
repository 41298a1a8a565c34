import { errorCatalogue, type ManyDevicesReply } from '@tongtu/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../../db/driver.ts';
import { mount } from '../../../http/mount.ts';
import { callerOf } from '../../../http/session.ts';
import { replyLanguage } from '../../../http/reply-language.ts';
import { changeDevices, type Outcome, removeDevices } from './many-devices.ts';

/** The calls for several devices at once. */
export function registerManyDevicesRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'PATCH /api/user/routers/', { login: 'required' }, async ({ body, session, req }) => {
    const { ids, group, pinned, enabled } = body;
    const changes = {
      ...(group !== undefined && { groupName: group }),
      ...(pinned !== undefined && { pinned }),
      ...(enabled !== undefined && { enabled }),
    };
    return outcomeReply(await changeDevices(db, { ...callerOf(session), ids }, changes), req);
  });
  mount(app, 'POST /api/user/routers/delete/', { login: 'required' }, async ({ body, session, req }) => {
    return outcomeReply(await removeDevices(db, { ...callerOf(session), ids: body.ids }), req);
  });
}

function outcomeReply({ done, refused }: Outcome, req: FastifyRequest): ManyDevicesReply {
  const language = replyLanguage(req);
  return { done, refused: refused.map(({ id, code }) => ({ id, code, detail: errorCatalogue[code][language] })) };
}
