import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { planReply } from '../devices/index.ts';
import type { DeviceChange } from '../live/index.ts';
import { adoptDevice } from './adopt-device.ts';
import { listSuggestions, previewAdoption } from './describe-adoption.ts';

type AdoptionRoutesDeps = { db: Db; whenSentToRelays: (change: DeviceChange) => Promise<void> };

/** Calls with which a device takes the place of a lost one. Only the owner of both may make them. */
export function registerAdoptionRoutes(app: FastifyInstance, { db, whenSentToRelays }: AdoptionRoutesDeps): void {
  mount(app, 'GET /api/user/lost_routers/', { login: 'required' }, async ({ session }) => {
    const suggestions = await listSuggestions(db, session.userId, Date.now());
    return suggestions.map(({ lost, successor, reasons }) => ({
      ...{ lost: lost.id, lost_name: lost.name, router: successor.id, router_name: successor.name },
      reasons,
    }));
  });
  mount(app, 'GET /api/user/routers/{id}/adoption/', { login: 'required' }, async ({ params, session }) => {
    const { lost, counts, candidates } = await previewAdoption(db, { id: params.id, userId: session.userId });
    return {
      ...{ mappings: counts.mappings, cloud_apps: counts.cloudApps, members: counts.members },
      ...{ share_links: counts.shareLinks, allow_list: counts.allowList },
      plan: planReply(lost.allowance)?.name ?? null,
      candidates: candidates.map(({ device, isOnline, reasons }) => ({
        ...{
          id: device.id,
          name: device.name,
          online: isOnline,
          plan: planReply(device.allowance)?.name ?? null,
          reasons,
        },
      })),
    };
  });
  mount(app, 'POST /api/user/routers/{id}/adoption/', { login: 'required' }, async ({ params, body, session }) => {
    const devices = { lostId: params.id, successorId: body.router, userId: session.userId };
    // The relays know the addresses before the answer, because the user opens them next.
    await whenSentToRelays(await adoptDevice(db, devices));
    return { ok: true as const };
  });
}
