/** IPv4 addresses that come over an IPv6 socket are told as what they are. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');
}
