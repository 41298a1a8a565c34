/** IPv4 addresses that come over an IPv6 socket are told as what they are, link-local ones without their interface. */
export function plainAddress(address: string): string {
  return withoutZone(address).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');
}

/** Interfaces have names (`br-lan.10`) that not every reader of addresses takes. */
export function withoutZone(address: string): string {
  const at = address.indexOf('%');
  return at === -1 ? address : address.slice(0, at);
}
