import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DeviceRoutes } from '@tongtu/contract';
import type { RouteTable } from '../routes/route-table.ts';

const PREFIX = 'frpc-peer';
const TOKEN = /^frpc-peer\.(\d{1,10})\.([\w-]{43})$/;

/**
 * With what a relay process logs in at another one as the agent of a frpc that is connected to it: only who knows the token of
 * the frpc can make it, for one key.
 */
export function peerToken({ deviceId, frpcToken = '' }: DeviceRoutes, login: PeerLogin): string {
  return `${PREFIX}.${deviceId}.${proofOf(frpcToken, login)}`;
}

/** The device that the relay process serves. */
export function findPeerDevice(routes: RouteTable, token: string, login: PeerLogin): DeviceRoutes | undefined {
  const [, deviceId = '', proof = ''] = TOKEN.exec(token) ?? [];
  const device = routes.findDevice(Number(deviceId));
  if (device?.frpcToken === undefined) return undefined;
  const isRight = timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(device.frpcToken, login)));
  return isRight ? device : undefined;
}

type PeerLogin = { publicKey: string; relayPin: string };

function proofOf(frpcToken: string, { publicKey, relayPin }: PeerLogin): string {
  return createHmac('sha256', frpcToken).update(`${PREFIX}\n${publicKey}\n${relayPin}`).digest('base64url');
}
