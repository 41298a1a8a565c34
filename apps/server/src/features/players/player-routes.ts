import { AppError } from '@tongtu/contract';
import { networkOf, parseAddress } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { listOwnDevices, listVisitorsOfNetworks, type VisitorRow } from './player-store.ts';

/** 我的公网 IP: reveals nothing but the caller's own devices, and who was let in to the caller's own mappings. */
export function registerPlayerRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/site/players/get_ip_list/', { login: 'required' }, async ({ query, session }) => {
    const devices = await listOwnDevices(db, session.userId);
    const byNetwork = Map.groupBy(devices, ({ publicIp }) => networkOf(publicIp));
    const networks = chooseNetworks([...byNetwork.keys()], query.pub_address);
    const visitors = await listVisitorsOfNetworks(db, session.userId, networks);
    const visitorsByNetwork = Map.groupBy(visitors, ({ network }) => network);
    return networks.map((network) => ({
      network: network.includes(':') ? `${network}/64` : network,
      devices: (byNetwork.get(network) ?? []).map(({ id, name, publicIp, isOnline }) => ({
        ...{ id, name, online: isOnline },
        public_ip: publicIp,
      })),
      visitors: (visitorsByNetwork.get(network) ?? []).map(visitorReply),
    }));
  });
}

/** The network of the address alone. Throws public-address.no-device. */
function chooseNetworks(networks: string[], address: string | undefined): string[] {
  if (address === undefined) return networks;
  const wanted = networkOf(parseAddress(address)?.toString() ?? address);
  if (!networks.includes(wanted)) throw new AppError('public-address.no-device');
  return [wanted];
}

function visitorReply({ visitorIp, who, host, lastAt }: VisitorRow) {
  return { address: visitorIp, who, host, last_at: lastAt.toISOString() };
}
