import { withoutZone } from '@tongtu/base';

/** IPv4 addresses that come over an IPv6 socket are told as what they are, link-local ones without their interface. */
export function plainAddress(address: string): string {
  return withoutZone(address).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');
}
