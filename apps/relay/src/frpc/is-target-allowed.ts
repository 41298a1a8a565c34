import { parseAddress, isPrivateAddress } from '@tongtu/base';
import type { ProxyTarget } from '@tongtu/frp';

/** Where frpc has its own administration: a program that reaches it can read and change all of frpc's configuration. */
const ADMIN_PORT = 7400;

/**
 * What an agent checks by itself. A name is resolved by the device, and frpc does not report the address: here a mapping by
 * name leads where the owner's network says.
 */
export function isTargetAllowed({ host, port }: ProxyTarget): boolean {
  if (port === ADMIN_PORT) return false;
  return parseAddress(host) === undefined || isPrivateAddress(host);
}
